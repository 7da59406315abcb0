import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { openDiskJobStore } from '@parlando/store'
import { validate } from '@readme/openapi-parser'
import { expect, it } from 'vitest'
import { parse, stringify } from 'yaml'
import { createEncoderPool } from '../../audio/encoding/encoder-pool.ts'
import { createCalls } from '../../conversation/calls/running-calls.ts'
import { readJobEntry } from '../../jobs/job.ts'
import { Jobs } from '../../jobs/jobs.ts'
import { createMetrics } from '../../metrics/service-metrics.ts'
import { createVoiceList } from '../../voices/voice-list.ts'
import { createApp } from '../app/app.ts'
import { pathsOf } from '../app/endpoint.ts'
import { endpoints, socketEndpoints } from '../app/endpoints.ts'
import { describeService } from '../app/openapi-document.ts'

async function createFullApp() {
  const parts = {
    engines: new Map(),
    recognisers: new Map(),
    encoders: createEncoderPool(),
    voiceList: createVoiceList(),
  }
  const openModelManager = () => Promise.reject(new Error('not used'))
  const calls = createCalls({ findWebRtc: () => '', isLocal: true, warn() {} })
  const metrics = createMetrics(parts)
  const store = await openDiskJobStore({
    folder: 'a folder that does not exist',
    readEntry: readJobEntry,
  })
  const onFailure = () => {}
  const jobs = new Jobs({ store, service: parts, onFailure })
  return createApp({ ...parts, metrics, calls, jobs, openModelManager, onFailure })
}

const storedFile = fileURLToPath(new URL('../../../openapi.yaml', import.meta.url))
const written = stringify(describeService(), { aliasDuplicateObjects: false })

// `npm run openapi --workspace packages/local-service` updates the file.
it('openapi.yaml matches the endpoints', async () => {
  const advice = 'Run npm run openapi -w @parlando/local-service.'
  await expect(written, advice).toMatchFileSnapshot(storedFile)
})

it('the description is valid OpenAPI', async () => {
  expect(await validate(parse(written))).toMatchObject({ valid: true })
})

it('the description contains exactly the routes of the app', async () => {
  const { routes } = await createFullApp()
  // OpenAPI cannot describe the messages of a WebSocket; docs/protocol does.
  const sockets = socketEndpoints.map(({ path }) => path)
  const served = routes
    .filter(({ method, path }) => method !== 'ALL' && !sockets.includes(path))
    .map(({ method, path }) => `${method} ${toTemplate(path)}`)
  const described = endpoints.flatMap(({ operation }) =>
    pathsOf(operation).map((path) => `${operation.method.toUpperCase()} ${path}`),
  )
  expect([...new Set(described)].sort()).toEqual([...new Set(served)].sort())
  expect(described).toHaveLength(new Set(described).size)
})

it('each operation with a body has a valid example', () => {
  for (const { operation } of endpoints) {
    const { path, body, bodyExample } = operation
    expect(bodyExample !== undefined, path).toBe(body !== undefined)
    expect(body?.schema.safeParse(bodyExample).error, path).toBeUndefined()
  }
})

it('the service serves its description', async () => {
  const response = await (await createFullApp()).request('/openapi.yaml')
  expect(response.headers.get('content-type')).toBe('application/yaml')
  expect(await response.text()).toBe(await readFile(storedFile, 'utf8'))
})

/** `/voices/:voiceId` and `/voices/:voiceId{.+:publish}` as templates of OpenAPI. */
function toTemplate(path: string): string {
  return path.replace(/:(\w+)\{\.\+(:\w+)\}/g, '{$1}$2').replace(/\/:(\w+)/g, '/{$1}')
}
