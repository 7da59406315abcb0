// From a message to its first sound: on this machine's speaker, at a client of the address, and on pages.
import { parseArgs } from 'node:util'
import { goal, report } from './shared/report.js'
import { runProcess } from './shared/run-process.js'
import { withLocalService } from './shared/with-local-service.js'

const { values } = parseArgs({ options: { json: { type: 'string' } } })
await withLocalService(async (connection) => {
  console.log('Measuring announcements inside Node-RED, about ten minutes')
  const program = new URL('announce/node-red-process.js', import.meta.url)
  const { rows, network, pages } = await runProcess(program, { task: { connection } })
  const [servicePcm, tone, machine, serviceMp3, address, _adaptive, knownSentence] = rows.map(
    ({ p50Ms }) => p50Ms,
  )
  if (tone < 0) {
    throw new Error(
      `The recorder's zero is wrong: a tone is heard ${-tone} ms before its player starts`,
    )
  }
  const [mpdOwn, mpd, snapcastOwn, snapcast, squeezelite, squeezeliteOwn] = network.map(
    ({ p50Ms }) => p50Ms,
  )
  report({
    bench: 'announce',
    rows: [...rows, ...network, pages],
    goals: [
      goal(
        'first sample after the first audio of the service, p50',
        machine - servicePcm - tone,
        40,
      ),
      goal('first byte at the address after that of the service, p50', address - serviceMp3, 5),
      goal('first byte of a sentence said before, p50', knownSentence, 10),
      goal('first sample on MPD after that of a finished sound, p50', mpd - mpdOwn, 150),
      goal(
        'first sample on Snapcast after that of a finished sound, p50',
        snapcast - snapcastOwn,
        150,
      ),
      goal(
        'first sample on squeezelite after that of a sentence said before, p50',
        squeezelite - squeezeliteOwn,
        150,
      ),
      goal('ms of gaps on 50 pages, the worst page', pages.maxSilentMs, 0),
      goal('MiB of memory that 50 pages add', pages.addedMiB, 64),
    ],
    jsonPath: values.json,
  })
})
