// The speak node in a real Node-RED: the time to its first message, the cost of a chunk, and many messages at once.
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startLocalServiceProcess } from '@parlando/local-service/process'
import { measureChunks } from './nodes/chunks.js'
import { measureFirstAudio } from './nodes/first-audio.js'
import { measureParallel } from './nodes/parallel.js'
import { report } from './shared/report.js'

const { values } = parseArgs({ options: { json: { type: 'string' } } })
const apiKey = randomBytes(24).toString('base64url')
// If this process is killed, the service and Node-RED end with it.
const dataFolder = await mkdtemp(join(tmpdir(), 'parlando-bench-'))
const service = await startLocalServiceProcess({ apiKey, dataFolder })
const measured = []
try {
  measured.push(await measureFirstAudio({ baseUrl: service.baseUrl, apiKey }))
} finally {
  await service.close()
  await rm(dataFolder, { recursive: true })
}
measured.push(await measureChunks(apiKey))
measured.push(await measureParallel(apiKey))
report({
  bench: 'nodes',
  rows: measured.flatMap(({ rows }) => rows),
  goals: measured.flatMap(({ goals }) => goals),
  jsonPath: values.json,
})
