// A real Node-RED in its own process, with a sound device that is recorded. It sends the rows.
import { once } from 'node:events'
import { startPulse } from '@parlando/test-support/audio/pulse'
import { startNodeRed } from '../shared/node-red.js'
import { createRawClient } from '../shared/raw-client.js'
import { takeTurns } from '../shared/take-turns.js'
import { createAddress } from './address.js'
import { createAnnouncements } from './announcements.js'
import { createFlow, mp3, pageName, pcm, responses } from './flow.js'
import { startNetworkPlayers } from './network-players.js'
import { connectPage } from './page.js'
import { measurePages } from './pages.js'
import { createSpeaker } from './speaker.js'

const sentenceCount = 60
/** A player takes a few seconds for each. */
const networkSentenceCount = 20

const [{ connection }] = await once(process, 'message')
const pulse = await startPulse()
// The players that Node-RED starts play on this device.
Object.assign(process.env, pulse.environment)
const players = await startNetworkPlayers(pulse)
const { RED, version, baseUrl } = await startNodeRed(createFlow(connection, players.speakers))
const client = createRawClient(connection)
const announcements = createAnnouncements(RED)
const speaker = createSpeaker(pulse, announcements, connection)
const address = createAddress(RED, baseUrl)

const page = await connectPage(baseUrl, 'page')
const knownSentenceMs = async (text) => {
  await announcements.say(text, pageName)
  const startedAt = performance.now()
  await announcements.say(text, pageName)
  return page.lastFirstByteAt() - startedAt
}

const what = (text) => `${text}, Node-RED ${version}`
const rows = await takeTurns(
  [
    {
      row: { what: 'first byte of the service', ...pcm },
      firstMs: (text) => client.firstByteMs({ ...pcm, text }),
    },
    {
      row: { what: 'first sample of a tone, from the start of the player' },
      firstMs: speaker.toneMs,
    },
    {
      row: { what: what('first sample of announce on this machine'), ...pcm },
      firstMs: speaker.announcementMs,
    },
    {
      row: { what: 'first byte of the service', ...mp3 },
      firstMs: (text) => client.firstByteMs({ ...mp3, text }),
    },
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
const announcedOn = (kind) => async (text) => {
  const timeMs = await speaker.announcementMs(text, `bench-${kind}`)
  await players.rest()
  return timeMs
}
const ownStart = (play) => async () => {
  const timeMs = await speaker.recordMs(play)
  await players.rest()
  return timeMs
}
const network = await takeTurns(
  [
    {
      row: { what: 'first sample of a finished sound on MPD, by mpc' },
      firstMs: ownStart(players.playOnMpd),
    },
    { row: { what: what('first sample of announce on MPD'), ...mp3 }, firstMs: announcedOn('mpd') },
    {
      row: { what: 'first sample of a finished sound on Snapcast, from a source' },
      firstMs: ownStart(players.playOnSnapcast),
    },
    {
      row: { what: what('first sample of announce on Snapcast'), ...pcm },
      firstMs: announcedOn('snapcast'),
    },
    {
      row: { what: what('first sample of announce on squeezelite'), ...pcm },
      firstMs: announcedOn('squeezebox'),
    },
    {
      row: { what: what('first sample of a sentence said before on squeezelite'), ...pcm },
      async firstMs(text) {
        await announcements.say(text, 'bench-squeezebox')
        return announcedOn('squeezebox')(text)
      },
    },
  ],
  networkSentenceCount,
)
await players.close()
const pages = await measurePages(baseUrl, announcements)
await pulse.stop()
process.send({ rows, network, pages })
