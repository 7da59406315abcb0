// The time from a request to the first audio of the service.
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startLocalServiceProcess } from '@parlando/local-service/process'
import { measureFastestModel } from './latency/fastest-model.js'
import { measureService } from './latency/service.js'
import { report } from './shared/report.js'

const { values } = parseArgs({ options: { json: { type: 'string' } } })
const apiKey = randomBytes(24).toString('base64url')
// If this process is killed, the service ends with it.
const dataFolder = await mkdtemp(join(tmpdir(), 'parlando-bench-'))
const service = await startLocalServiceProcess({ apiKey, dataFolder })
try {
  const connection = { baseUrl: service.baseUrl, apiKey }
  const allModels = await measureService(connection)
  const fastestModel = await measureFastestModel(connection)
  report({
    bench: 'latency',
    rows: [...allModels.rows, ...fastestModel.rows],
    goals: [...allModels.goals, ...fastestModel.goals],
    jsonPath: values.json,
  })
} finally {
  await service.close()
  await rm(dataFolder, { recursive: true })
}
