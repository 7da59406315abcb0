// A real Node-RED in its own process, with a sound device that is recorded. It sends the rows.
import { once } from 'node:events'
import { startPulse } from '@parlando/test-support/audio/pulse'
import { startNodeRed } from '../shared/node-red.js'
import { createAnnouncements } from './announcements.js'
import { createFlow } from './flow.js'
import { measureHere } from './here.js'
import { startNetworkPlayers } from './network-players.js'
import { measurePages } from './pages.js'
import { measurePlayers } from './players.js'
import { createSpeaker } from './speaker.js'

/** A player takes a few seconds for each. */
const defaultPlayerCount = 20

const [{ connection, playerCount, withHomeAssistant }] = await once(process, 'message')
const pulse = await startPulse()
// The players that Node-RED starts play on this device.
Object.assign(process.env, pulse.environment)
const players = await startNetworkPlayers(pulse, withHomeAssistant)
const { RED, version, baseUrl } = await startNodeRed(createFlow(connection, players.speakers))
await players.serve(RED)
const announcements = createAnnouncements(RED)
const speaker = createSpeaker(pulse, announcements, connection)
const what = (text) => `${text}, Node-RED ${version}`

const here = playerCount
  ? undefined
  : await measureHere({ RED, baseUrl, connection, announcements, speaker, what })
const measured = await measurePlayers(
  { players, announcements, speaker, what },
  playerCount ?? defaultPlayerCount,
)
await players.close()
const pages = playerCount ? undefined : await measurePages(baseUrl, announcements)
await pulse.stop()
process.send({ here, players: measured, pages })
