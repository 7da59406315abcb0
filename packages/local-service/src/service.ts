import { setTimeout as wait } from 'node:timers/promises'
import { type AppOptions, createApp } from './api/app.ts'
import { WyomingOffer } from './api/wyoming/wyoming-offer.ts'
import { openWyomingServer, type WyomingServerOptions } from './api/wyoming/wyoming-server.ts'
import { createEncoderPool } from './audio/encoding/encoder-pool.ts'
import { findWebRtc } from './conversation/calls/find-webrtc.ts'
import { createCalls } from './conversation/calls/running-calls.ts'
import { closeEngines, startEngines } from './engines/engine-registry.ts'
import { EngineError } from './errors/engine-error.ts'
import { startSilero } from './listening/turns/silero/silero-detector.ts'
import { type Log, openLog } from './log.ts'
import { createMetrics } from './metrics/service-metrics.ts'
import { followInstalledModels } from './models/install/follow-models.ts'
import { readModelAliases } from './models/openai-names.ts'
import { type LocalServiceOptions, type ResolvedServiceOptions, resolveOptions } from './options.ts'
import { closeRecognisers, startRecognisers } from './recognisers/recogniser-registry.ts'
import { openServer } from './server/http-server.ts'
import { isOnlyLocal } from './server/open-port.ts'
import { library } from './voices/library.ts'
import { openVoiceList, type VoiceList } from './voices/voice-list.ts'

/** A running service. */
export interface LocalService {
  /** Its address, without a trailing slash. */
  baseUrl: string
  /** The address of the Wyoming server, such as `tcp://127.0.0.1:10200`, if there is one. */
  wyomingUrl?: string
  /**
   * Opens a further Wyoming server, in place of the one that an earlier call has opened, or closes it without options.
   * @throws {Error} with `code` `EADDRINUSE` if the port is in use.
   */
  offerWyoming(options?: WyomingServerOptions): Promise<void>
  /**
   * Rejects new requests, lets running ones finish for at most `stopLimitMs`, then closes every connection and frees
   * every thread. Later calls return the same promise.
   */
  close(): Promise<void>
}

/**
 * Starts the service in this process. Resolves when it listens; then the voices warm up.
 * @throws {Error} if other machines could reach it and no key is set; with `code` `EADDRINUSE` if the port is in use.
 */
export async function startLocalService(options: LocalServiceOptions = {}): Promise<LocalService> {
  const resolved = resolveOptions(options)
  const logOpening = openLog(resolved.logLevel)
  const parts = await startParts(resolved, (message) => {
    void logOpening.then((log) => log.warned(message))
  })
  try {
    return await listen(resolved, parts, await logOpening)
  } catch (error) {
    await parts.close()
    throw error
  }
}

/** Starts everything that speaks and listens. */
async function startParts(resolved: ResolvedServiceOptions, warn: (message: string) => void) {
  const { host, enginesFolder, dataFolder } = resolved
  const engines = await startEngines({ ...resolved, warn })
  const recognisers = await startRecognisers({ ...resolved, warn })
  const installed = await followInstalledModels({ ...resolved, engines, recognisers, warn })
  const speechDetector = await startSilero({ ...resolved, warn })
  const calls = createCalls({
    findWebRtc: () => findWebRtc([enginesFolder, dataFolder]),
    isLocal: isOnlyLocal(host),
    warn,
  })
  return {
    engines,
    recognisers,
    speechDetector,
    calls,
    openLocalModels: installed?.openLocalModels,
    async close() {
      // First, because a running check may still start an engine.
      await installed?.close()
      await Promise.all([
        closeEngines(engines),
        closeRecognisers(recognisers),
        speechDetector?.close(),
      ])
    },
  }
}

type Parts = Awaited<ReturnType<typeof startParts>>

/** Opens the ports. After a failure, none of them is open. */
async function listen(
  resolved: ResolvedServiceOptions,
  parts: Parts,
  log: Log,
): Promise<LocalService> {
  const { host, port, apiKey, allowOrigins } = resolved
  const { engines, calls } = parts
  const stopping = new AbortController()
  const voiceList = await openVoiceList({ ...resolved, engines, warn: log.warned })
  const appOptions = toAppOptions(resolved, parts, voiceList, (error) => {
    // A response that takes longer than the limit of the stop loses its engine.
    const isEndedByStop = stopping.signal.aborted && error instanceof EngineError
    if (!isEndedByStop) log.failed(error)
  })
  const app = createApp({
    ...appOptions,
    apiKey,
    allowOrigins,
    metrics: createMetrics({ engines, voiceList }),
    calls,
    onRequestEnd: log.finished,
    isStopping: () => stopping.signal.aborted,
  })
  const wyoming = await openWyoming(resolved, appOptions)
  const server = await openServer({ fetch: app.fetch, host, port }).catch(async (error) => {
    await wyoming?.close()
    throw error
  })
  const offer = new WyomingOffer(appOptions)
  log.started(server.baseUrl, wyoming?.url)
  if (resolved.warmUp) void warmUp(appOptions, log, stopping.signal)

  const stop = async () => {
    stopping.abort()
    log.stopping()
    const { stopLimitMs } = resolved
    const drained = [server.drain(stopLimitMs), wyoming?.drain(stopLimitMs), calls.close()]
    await Promise.all(drained)
    await Promise.all([server.close(), wyoming?.close(), offer.set(), parts.close()])
    log.stopped()
  }
  let closing: Promise<void> | undefined
  return {
    baseUrl: server.baseUrl,
    wyomingUrl: wyoming?.url,
    offerWyoming: (options) => offer.set(options),
    close() {
      closing ??= stop()
      return closing
    },
  }
}

async function openWyoming(
  { host, wyomingPort, wyomingHost = host, wyomingAnnounce }: ResolvedServiceOptions,
  appOptions: Parameters<typeof openWyomingServer>[1],
) {
  if (wyomingPort === undefined) return undefined
  const options = { host: wyomingHost, port: wyomingPort, isAnnounced: wyomingAnnounce }
  return openWyomingServer(options, appOptions)
}

function toAppOptions(
  resolved: ResolvedServiceOptions,
  { engines, recognisers, speechDetector, openLocalModels }: Parts,
  voiceList: VoiceList,
  onFailure: (error: unknown) => void,
): AppOptions {
  const { chatUpstream, chatUpstreamKey, modelAliases, defaultVoice, strict } = resolved
  return {
    engines,
    recognisers,
    speechDetector,
    encoders: createEncoderPool(),
    openLocalModels,
    voiceList,
    chatUpstream: chatUpstream ? { baseUrl: chatUpstream, apiKey: chatUpstreamKey } : undefined,
    modelAliases: readModelAliases(modelAliases, resolved),
    defaultVoice,
    strict,
    onFailure,
  }
}

// A request that arrives right after the start finds an idle thread.
const warmUpDelayMs = 500
const warmUpSentences = 12

// A statistical voice and the diphone voice. The code of the other statistical voices is the same, and their data is
// loaded in a few milliseconds when they first speak.
const warmUpVoices = ['slt', 'kal16']

/**
 * Loads the model of the voice that the owner has chosen, then speaks with two voices of Flite. The natural voice that speaks where
 * none is chosen is not loaded: it would add 50 MiB to the 140 MiB of an idle service, to save half a second of its first request.
 */
async function warmUp(options: AppOptions, log: Log, signal: AbortSignal): Promise<void> {
  await wait(warmUpDelayMs, undefined, { ref: false, signal }).catch(() => {})
  if (signal.aborted) return
  await loadChosenVoice(options).catch((error: Error) => {
    if (!signal.aborted) log.warned(`The default voice is not loaded yet: ${error.message}`)
  })
  await speakAhead(options, signal)
}

async function loadChosenVoice({ voiceList, engines, defaultVoice }: AppOptions): Promise<void> {
  const chosen = voiceList.find(defaultVoice ?? '')
  if (chosen) await engines.get(chosen.engine)?.engine.load?.(chosen.engineVoice)
}

/**
 * Speaks with two voices of Flite, so that later requests find every module loaded and every hot function compiled. A
 * request that arrives meanwhile waits for at most one of these sentences.
 */
async function speakAhead(options: AppOptions, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return
  // Another app, so that the metrics and the log do not count these requests.
  const app = createApp(options)
  const text = 'Good morning, the coffee is ready. '.repeat(warmUpSentences)
  const unchanged = library.filter(({ imprint, engineVoice }) => {
    return !imprint && warmUpVoices.includes(engineVoice)
  })
  for (const [index, { voice }] of unchanged.entries()) {
    const audioConfig = { audioEncoding: index % 2 ? 'WAV' : 'MP3', sampleRateHertz: 24_000 }
    const request = { text, voiceId: voice.voiceId, modelId: 'svc-tts-2', audioConfig }
    const body = JSON.stringify(request)
    const response = await app.request('/tts/v1/voice:stream', { method: 'POST', body, signal })
    // The audio is not kept. The app reports a failure.
    await response.body?.pipeTo(new WritableStream()).catch(() => {})
    if (signal.aborted) return
  }
}
