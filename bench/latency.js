// How soon the first audio is there: from the service alone, and out of the speak node in a real Node-RED.
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startLocalServiceProcess } from '@parlando/local-service/process'
import { measureService } from './latency/service-alone.js'
import { measureSpeakNode } from './latency/speak-node.js'
import { report } from './shared/report.js'

const { values } = parseArgs({ options: { json: { type: 'string' } } })
const apiKey = randomBytes(24).toString('base64url')
// Needs no care when this process is stopped: like Node-RED, the service ends with whoever started it.
const dataFolder = await mkdtemp(join(tmpdir(), 'parlando-bench-'))
const service = await startLocalServiceProcess({ apiKey, dataFolder })
try {
  const connection = { baseUrl: service.baseUrl, apiKey }
  const alone = await measureService(connection)
  const inNodeRed = await measureSpeakNode(connection)
  report({
    bench: 'latency',
    rows: [...alone.rows, ...inNodeRed.rows],
    goals: [...alone.goals, ...inNodeRed.goals],
    jsonPath: values.json,
  })
} finally {
  await service.close()
  await rm(dataFolder, { recursive: true })
}
