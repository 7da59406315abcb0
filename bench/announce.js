// From a message to its first sound: on this machine's speaker, at a client of the address, on pages, and on other players.
import { parseArgs } from 'node:util'
import { playerGoals } from './announce/player-goals.js'
import { goal, report } from './shared/report.js'
import { runProcess } from './shared/run-process.js'
import { withLocalService } from './shared/with-local-service.js'

const { values } = parseArgs({
  options: {
    json: { type: 'string' },
    /** Measures only the other players, with this many sentences. */
    players: { type: 'string' },
    /** Also measures through a real Home Assistant, which it installs as npm run test:systems does. */
    'home-assistant': { type: 'boolean', default: false },
  },
})
const playerCount = values.players && Number(values.players)
await withLocalService(async (connection) => {
  console.log(
    `Measuring announcements inside Node-RED, about ${playerCount ? 'four' : 'fifteen'} minutes`,
  )
  const program = new URL('announce/node-red-process.js', import.meta.url)
  const withHomeAssistant = values['home-assistant']
  const task = { connection, playerCount, withHomeAssistant }
  const { here, players, pages } = await runProcess(program, { task })
  report({
    bench: 'announce',
    rows: [...Object.values({ ...here, ...players }), ...(pages ? [pages] : [])],
    goals: [...(here ? goalsOf(here, pages) : []), ...playerGoals(players)],
    jsonPath: values.json,
  })
})

function goalsOf(here, pages) {
  const p50Ms = (name) => here[name].p50Ms
  const tone = p50Ms('tone')
  if (tone < 0) {
    throw new Error(
      `The recorder's zero is wrong: a tone is heard ${-tone} ms before its player starts`,
    )
  }
  return [
    goal(
      'first sample after the first audio of the service, p50',
      p50Ms('machine') - p50Ms('servicePcm') - tone,
      40,
    ),
    goal(
      'first byte at the address after that of the service, p50',
      p50Ms('chunked') - p50Ms('serviceMp3'),
      5,
    ),
    goal('first byte of a sentence said before, p50', p50Ms('knownSentence'), 10),
    goal('ms of gaps on 50 pages, the worst page', pages.maxSilentMs, 0),
    goal('MiB of memory that 50 pages add', pages.addedMiB, 64),
  ]
}
