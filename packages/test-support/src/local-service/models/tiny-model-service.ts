import { createHash } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { createApp } from '../../../../local-service/src/api/app/app.ts'
import { createEncoderPool } from '../../../../local-service/src/audio/encoding/encoder-pool.ts'
import {
  closeEngines,
  startEngines,
} from '../../../../local-service/src/engines/engine-registry.ts'
import { followInstalledModels } from '../../../../local-service/src/model-management/follow-installed-models.ts'
import type {
  CatalogueEntry,
  ModelFile,
} from '../../../../local-service/src/models/catalogue/catalogue.ts'
import { resolveOptions } from '../../../../local-service/src/options.ts'
import {
  closeRecognisers,
  startRecognisers,
} from '../../../../local-service/src/recognisers/recogniser-registry.ts'
import { openServer } from '../../../../local-service/src/server/http-server.ts'
import { openVoiceList } from '../../../../local-service/src/voices/voice-list.ts'
import { optionalEnginesFolder } from '../test-app.ts'
import { writeTinyRecogniser } from './tiny-recogniser-model.ts'
import { writeTinyModel } from './tiny-tts-model.ts'

/** A service that can install tiny models, and the server that has their files. */
export interface TinyModelService {
  app: ReturnType<typeof createApp>
  baseUrl: string
  /** Sends a request. @param status which the response must have. Default 200. @returns the JSON of the response. */
  // biome-ignore lint/suspicious/noExplicitAny: each endpoint responds with something else
  send(method: string, path: string, body?: object, status?: number): Promise<any>
  /** The folder into which models are installed. */
  modelsFolder: string
  /** Lets downloads wait in the middle of a file. @returns a function that lets them continue. */
  holdDownloads(): () => void
  /** Lets the server have other files than the catalogue says. @returns a function that ends this. */
  damageDownloads(): () => void
  close(): Promise<void>
}

/** @param apiKey Default: none. */
export async function startTinyModelService(apiKey?: string): Promise<TinyModelService> {
  const root = await mkdtemp(join(tmpdir(), 'parlando-tiny-models-'))
  const offered = await publishTinyModels(join(root, 'mirror'))
  const mirror = await serveFiles(join(root, 'mirror'))
  const options = {
    ...resolveOptions({ apiKey, dataFolder: join(root, 'data'), voicesMirror: mirror.baseUrl }),
    enginesFolder: optionalEnginesFolder,
    warn: () => {},
  }
  const engines = await startEngines(options)
  const recognisers = await startRecognisers(options)
  const wakeWords = new Map()
  const parts = { engines, recognisers, wakeWords }
  const installed = await followInstalledModels({ ...options, ...parts, offered })
  const app = createApp({
    apiKey,
    engines,
    recognisers,
    openModelManager: installed?.openModelManager,
    encoders: createEncoderPool(),
    voiceList: await openVoiceList({ ...options, engines }),
    onFailure: () => {},
  })
  const server = await openServer({ fetch: app.fetch, host: '127.0.0.1', port: 0 })
  return {
    app,
    baseUrl: server.baseUrl,
    modelsFolder: join(root, 'data/models'),
    async send(method, path, body, status = 200) {
      const headers = { authorization: `Basic ${apiKey}` }
      const response = await app.request(path, { method, headers, body: JSON.stringify(body) })
      const json = await response.json()
      expect(response.status, JSON.stringify(json)).toBe(status)
      return json
    },
    holdDownloads: mirror.hold,
    damageDownloads: mirror.damage,
    async close() {
      await server.close()
      await installed?.close()
      await Promise.all([closeEngines(engines), closeRecognisers(recognisers), mirror.close()])
      await rm(root, { recursive: true })
    },
  }
}

/** Writes a voice and a recogniser, as files on the server of their maker. @returns their entries in a catalogue. */
async function publishTinyModels(folder: string): Promise<CatalogueEntry[]> {
  const [anna, tones] = ['vits-piper-de_DE-anna', 'streaming-zipformer-ctc-en'] as const
  await writeTinyModel(join(folder, anna), ['guten', 'morgen'])
  await writeTinyRecogniser(join(folder, tones), 'streaming')
  const common = {
    family: 'tiny',
    machine: 'pi4',
    checkedOn: null,
    licence: { name: 'CC0-1.0', url: 'https://example.org/cc0', commercialUse: 'yes' },
  } as const
  return [
    {
      ...common,
      name: 'anna',
      kind: 'voice',
      folder: anna,
      displayName: 'Anna',
      languages: ['de-DE'],
      summary: 'a voice of tones',
      licence: { ...common.licence, name: 'OpenRAIL-M', notice: 'Nobody may be impersonated.' },
      sources: [{ files: await describeFiles(folder, anna) }],
    },
    {
      ...common,
      name: 'tones',
      kind: 'recogniser',
      folder: tones,
      displayName: 'Tones',
      languages: ['en'],
      summary: 'understands tones',
      machine: 'desktop',
      sources: [{ files: await describeFiles(folder, tones) }],
    },
  ]
}

async function describeFiles(folder: string, model: string): Promise<ModelFile[]> {
  const names = await readdir(join(folder, model))
  return Promise.all(
    names.map(async (path) => {
      const content = await readFile(join(folder, model, path))
      const sha256 = createHash('sha256').update(content).digest('hex')
      const urls = [`https://example.invalid/${model}/${path}`]
      return { path, bytes: content.length, sha256, isConfirmed: true, urls }
    }),
  )
}

async function serveFiles(folder: string) {
  let held: Promise<void> | undefined
  let isDamaged = false
  const server = createServer(async (request, response) => {
    const content = await readFile(join(folder, request.url ?? '')).catch(() => undefined)
    if (!content) return void response.writeHead(404).end()
    if (isDamaged) content[0]! ^= 1
    response.writeHead(200, { 'content-length': content.length })
    const half = content.length >> 1
    response.write(content.subarray(0, half))
    await held
    response.end(content.subarray(half))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    hold() {
      let release = () => {}
      held = new Promise((resolve) => {
        release = resolve
      })
      return () => {
        held = undefined
        release()
      }
    },
    damage() {
      isDamaged = true
      return () => {
        isDamaged = false
      }
    },
    close() {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(resolve))
    },
  }
}
