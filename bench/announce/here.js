import { createRawClient } from '../shared/raw-client.js'
import { takeNamedTurns } from '../shared/take-turns.js'
import { createAddress } from './address.js'
import { mp3, pageName, pcm, responses } from './flow.js'
import { connectPage } from './page.js'

const sentenceCount = 60

/**
 * Measures what needs no other player: the service, this machine's speaker, the address and a page.
 * @returns the rows by their names.
 */
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
  const ofAddress = (response) => ({
    row: { what: what(`first byte at a client of the address, ${response}`), ...mp3 },
    firstMs: address.firstByteMs(response),
  })
  const rows = await takeNamedTurns(
    {
      servicePcm: ofService(pcm),
      tone: {
        row: { what: 'first sample of a tone, from the start of the player' },
        firstMs: speaker.toneMs,
      },
      machine: {
        row: { what: what('first sample of announce on this machine'), ...pcm },
        firstMs: speaker.announcementMs,
      },
      serviceMp3: ofService(mp3),
      ...Object.fromEntries(responses.map((response) => [response, ofAddress(response)])),
      knownSentence: {
        row: { what: what('first byte on a page, a sentence said before'), ...pcm },
        firstMs: knownSentenceMs,
      },
    },
    sentenceCount,
  )
  page.close()
  return rows
}
