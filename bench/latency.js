// The time to the first audio: of the service without Node-RED, and of the speak node in a real Node-RED.
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startLocalServiceProcess } from '@parlando/local-service/process'
import { measureService } from './latency/service.js'
import { measureSpeakNode } from './latency/speak-node.js'
import { report } from './shared/report.js'

const { values } = parseArgs({ options: { json: { type: 'string' } } })
const apiKey = randomBytes(24).toString('base64url')
// If this process is killed, the service and Node-RED end with it.
const dataFolder = await mkdtemp(join(tmpdir(), 'parlando-bench-'))
const service = await startLocalServiceProcess({ apiKey, dataFolder })
try {
  const connection = { baseUrl: service.baseUrl, apiKey }
  const direct = await measureService(connection)
  const inNodeRed = await measureSpeakNode(connection)
  report({
    bench: 'latency',
    rows: [...direct.rows, ...inNodeRed.rows],
    goals: [...direct.goals, ...inNodeRed.goals],
    jsonPath: values.json,
  })
} finally {
  await service.close()
  await rm(dataFolder, { recursive: true })
}
