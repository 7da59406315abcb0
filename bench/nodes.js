// The speak node in a real Node-RED: the time to its first message, the cost of a chunk, and many messages at once.
import { randomBytes } from 'node:crypto'
import { parseArgs } from 'node:util'
import { measureChunks } from './nodes/chunks.js'
import { measureFirstAudio } from './nodes/first-audio.js'
import { measureKept } from './nodes/kept.js'
import { measureParallel } from './nodes/parallel.js'
import { report } from './shared/report.js'
import { withLocalService } from './shared/with-local-service.js'

const { values } = parseArgs({ options: { json: { type: 'string' } } })
const apiKey = randomBytes(24).toString('base64url')
const measured = [
  await withLocalService(measureFirstAudio),
  await withLocalService(measureKept),
  await measureChunks(apiKey),
  await measureParallel(apiKey),
]
report({
  bench: 'nodes',
  rows: measured.flatMap(({ rows }) => rows),
  goals: measured.flatMap(({ goals }) => goals),
  jsonPath: values.json,
})
