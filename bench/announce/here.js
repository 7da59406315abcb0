import { createRawClient } from '../shared/raw-client.js'
import { takeTurns } from '../shared/take-turns.js'
import { createAddress } from './address.js'
import { mp3, pageName, pcm, responses } from './flow.js'
import { connectPage } from './page.js'

const sentenceCount = 60

/** Measures what needs no other player: the service, this machine's speaker, the address and a page. */
export async function measureHere({ RED, baseUrl, connection, announcements, speaker, what }) {
  const client = createRawClient(connection)
  const address = createAddress(RED, baseUrl)
  const page = await connectPage(baseUrl, 'page')
  const knownSentenceMs = async (text) => {
    await announcements.say(text, pageName)
    const startedAt = performance.now()
    await announcements.say(text, pageName)
    return page.lastFirstByteAt() - startedAt
  }
  const ofService = (format) => ({
    row: { what: 'first byte of the service', ...format },
    firstMs: (text) => client.firstByteMs({ ...format, text }),
  })
  const rows = await takeTurns(
    [
      ofService(pcm),
      {
        row: { what: 'first sample of a tone, from the start of the player' },
        firstMs: speaker.toneMs,
      },
      {
        row: { what: what('first sample of announce on this machine'), ...pcm },
        firstMs: speaker.announcementMs,
      },
      ofService(mp3),
      ...responses.map((response) => ({
        row: { what: what(`first byte at a client of the address, ${response}`), ...mp3 },
        firstMs: address.firstByteMs(response),
      })),
      {
        row: { what: what('first byte on a page, a sentence said before'), ...pcm },
        firstMs: knownSentenceMs,
      },
    ],
    sentenceCount,
  )
  page.close()
  return rows
}
