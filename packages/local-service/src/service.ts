import type { Voice } from '@parlando/core/wire'
import { type AppOptions, createApp } from './api/app.ts'
import { createMetrics } from './api/metrics/metrics.ts'
import { type LocalServiceOptions, resolveOptions } from './config/options.ts'
import { createEncoderPool } from './encoding/encoder-pool.ts'
import { closeEngines, startEngines } from './engines/registry.ts'
import { openServer } from './http/server.ts'
import { openLog } from './log.ts'
import { type Catalogue, openCatalogue } from './voices/catalogue.ts'

/** A service that listens. */
export interface LocalService {
  /** Where it listens, without a slash at the end. */
  baseUrl: string
  /**
   * Refuses what is new, lets what runs come to its end for as long as `stopLimitMs`, then closes every connection and
   * frees every thread. Called again it gives the same promise.
   */
  close(): Promise<void>
}

/**
 * Starts the service in this process and resolves when it is warm and listens.
 * @throws {Error} when others could reach it and there is no key; with `code` `EADDRINUSE` when the port is taken.
 */
export async function startLocalService(options: LocalServiceOptions = {}): Promise<LocalService> {
  const resolved = resolveOptions(options)
  const { host, port, apiKey, allowOrigins, dataFolder, maxVoices, stopLimitMs } = resolved
  const { chatUpstream, chatUpstreamKey } = resolved
  const logOpening = openLog(resolved.logLevel)
  const warn = (message: string) => void logOpening.then((log) => log.warned(message))
  const engines = await startEngines({ ...resolved, warn })
  let isStopping = false
  try {
    const log = await logOpening
    const catalogue = await openCatalogue({ dataFolder, maxVoices, engines, warn: log.warned })
    const appOptions: AppOptions = {
      engines,
      encoders: createEncoderPool(),
      catalogue,
      chatUpstream: chatUpstream ? { baseUrl: chatUpstream, apiKey: chatUpstreamKey } : undefined,
      onFailure: log.failed,
    }
    // An app of its own, so that nobody sees these requests in the figures.
    await warm(createApp(appOptions), catalogue)
    const app = createApp({
      ...appOptions,
      apiKey,
      allowOrigins,
      metrics: await createMetrics({ engines, catalogue }),
      onRequestEnd: log.finished,
      isStopping: () => isStopping,
    })
    const server = await openServer({ fetch: app.fetch, host, port })
    log.started(server.baseUrl)

    let closing: Promise<void> | undefined
    const stop = async () => {
      isStopping = true
      log.stopping()
      await server.drain(stopLimitMs)
      await Promise.all([server.close(), closeEngines(engines)])
      log.stopped()
    }
    return {
      baseUrl: server.baseUrl,
      close() {
        closing ??= stop()
        return closing
      },
    }
  } catch (error) {
    await closeEngines(engines)
    throw error
  }
}

/** Speaks as the first requests will, so that they find everything loaded and compiled. */
async function warm(app: ReturnType<typeof createApp>, catalogue: Catalogue): Promise<void> {
  for (const audioEncoding of ['MP3', 'WAV', 'MP3', 'WAV']) {
    const audioConfig = { audioEncoding, sampleRateHertz: 24_000 }
    const [voice] = catalogue.list() as [Voice]
    const request = {
      text: 'Good morning.',
      voiceId: voice.voiceId,
      modelId: 'svc-tts-2',
      audioConfig,
    }
    const response = await app.request('/tts/v1/voice:stream', {
      method: 'POST',
      body: JSON.stringify(request),
    })
    await response.text()
  }
}
