import { type AppOptions, createApp } from './api/app.ts'
import { createMetrics } from './api/metrics/metrics.ts'
import { createEncoderPool } from './encoding/encoder-pool.ts'
import { closeEngines, startEngines } from './engines/registry.ts'
import { openServer } from './http/server.ts'
import { openLog } from './log.ts'
import { type LocalServiceOptions, resolveOptions } from './options.ts'
import { openCatalogue } from './voices/catalogue.ts'

/** A running service. */
export interface LocalService {
  /** Its address, without a trailing slash. */
  baseUrl: string
  /**
   * Rejects new requests, lets running ones finish for at most `stopLimitMs`, then closes every connection and frees
   * every thread. Later calls return the same promise.
   */
  close(): Promise<void>
}

/**
 * Starts the service in this process. Resolves when it is warmed up and listens.
 * @throws {Error} if other machines could reach it and no key is set; with `code` `EADDRINUSE` if the port is in use.
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
    const [voice] = catalogue.list()
    // Another app, so that the metrics and the log do not count these requests.
    if (resolved.warmUp && voice) await warmUp(createApp(appOptions), voice.voiceId)
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

/**
 * Sends the app a few requests like the first real ones, so that those find every module loaded and every hot function
 * compiled.
 */
async function warmUp(app: ReturnType<typeof createApp>, voiceId: string): Promise<void> {
  for (const audioEncoding of ['MP3', 'WAV', 'MP3', 'WAV']) {
    const audioConfig = { audioEncoding, sampleRateHertz: 24_000 }
    const request = { text: 'Good morning.', voiceId, modelId: 'svc-tts-2', audioConfig }
    const response = await app.request('/tts/v1/voice:stream', {
      method: 'POST',
      body: JSON.stringify(request),
    })
    await response.text()
  }
}
