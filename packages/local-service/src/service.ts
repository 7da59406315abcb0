import { setTimeout as wait } from 'node:timers/promises'
import { openRedisStore } from '@parlando/store'
import { type AppOptions, createApp } from './api/app/app.ts'
import { WyomingOffer } from './api/wyoming/wyoming-offer.ts'
import { openWyomingServer, type WyomingServerOptions } from './api/wyoming/wyoming-server.ts'
import { createEncoderPool } from './audio/encoding/encoder-pool.ts'
import { isRedisAddress } from './config/option.ts'
import { closeParts } from './config/running-parts.ts'
import { findWebRtc } from './conversation/calls/find-webrtc.ts'
import { createCalls } from './conversation/calls/running-calls.ts'
import { findBuiltInVoices } from './engines/built-in-voices.ts'
import { closeEngines, startEngines } from './engines/engine-registry.ts'
import { EngineError } from './errors/engine-error.ts'
import { openJobs } from './jobs/open-jobs.ts'
import { startSilero } from './listening/turns/silero/silero-detector.ts'
import { openSmartTurn } from './listening/turns/smart-turn/smart-turn.ts'
import { type Log, openLog } from './log.ts'
import { percentFree } from './metrics/percent-free.ts'
import { createMetrics } from './metrics/service-metrics.ts'
import { followInstalledModels } from './models/install/installed-models.ts'
import { readModelAliases } from './models/openai-names.ts'
import { type LocalServiceOptions, type ResolvedServiceOptions, resolveOptions } from './options.ts'
import { startRecognisers } from './recognisers/recogniser-registry.ts'
import { type AgentCheck, openAgentCheck } from './server/agent-check.ts'
import { openServer } from './server/http-server.ts'
import { isOnlyLocal } from './server/open-port.ts'
import { SharedSound } from './speaking/shared-sound.ts'
import { library } from './voices/library.ts'
import { openVoiceList } from './voices/voice-list.ts'
import { startWakeWordDetectors } from './wake-words/wake-word-registry.ts'

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
   * Serves on for `stopDelayMs`, then rejects new requests, lets running ones finish for at most `stopLimitMs`, closes every
   * connection and frees every thread. Later calls return the same promise.
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
  const parts = await startParts(resolved, {
    warn: (message) => void logOpening.then((log) => log.warned(message)),
    onFailure: (error) => void logOpening.then((log) => log.failed(error)),
  })
  try {
    return await listen(resolved, parts, await logOpening)
  } catch (error) {
    await parts.close()
    throw error
  }
}

interface Reports {
  warn(message: string): void
  onFailure(error: unknown): void
}

/** Starts everything that speaks and listens. */
async function startParts(resolved: ResolvedServiceOptions, { warn, onFailure }: Reports) {
  const { host, enginesFolder, dataFolder, defaultVoice } = resolved
  const engines = await startEngines({ ...resolved, warn })
  const recognisers = await startRecognisers({ ...resolved, warn })
  const wakeWords = await startWakeWordDetectors({ ...resolved, warn })
  const installed = await followInstalledModels({
    ...resolved,
    engines,
    recognisers,
    wakeWords,
    warn,
  })
  const speechDetector = await startSilero({ ...resolved, warn })
  const voiceList = await openVoiceList({ ...resolved, engines, warn })
  const sharedSound = await openSharedSound(resolved, warn)
  const weights = findBuiltInVoices('smart-turn/weights.safetensors')
  const endOfTurnModel = openSmartTurn({ weights, warn })
  const calls = createCalls({
    findWebRtc: () => findWebRtc([enginesFolder, dataFolder]),
    isLocal: isOnlyLocal(host),
    warn,
  })
  const encoders = createEncoderPool()
  const modelAliases = readModelAliases(resolved.modelAliases, resolved)
  const speaking = { engines, voiceList, encoders, modelAliases, defaultVoice }
  const jobs = await openJobs({ dataFolder, service: speaking, warn, onFailure })
  return {
    ...speaking,
    jobs,
    recognisers,
    wakeWords,
    speechDetector,
    endOfTurnModel,
    calls,
    sharedSound,
    openLocalModels: installed?.openLocalModels,
    async close() {
      // First, because a running check may still start an engine, and a job uses one.
      await Promise.all([installed?.close(), jobs.close()])
      await Promise.all([
        closeEngines(engines),
        closeParts(recognisers),
        closeParts(wakeWords),
        voiceList.close(),
        sharedSound?.close(),
        speechDetector?.close(),
        endOfTurnModel?.close(),
      ])
    },
  }
}

/** Keeps the sound of requests where services share a Redis server. */
async function openSharedSound(
  { store }: ResolvedServiceOptions,
  warn: (message: string) => void,
): Promise<SharedSound | undefined> {
  if (store === undefined || !isRedisAddress(store)) return undefined
  const onProblem = (reason: string) => warn(`No sound is kept: ${reason}`)
  return new SharedSound(await openRedisStore({ url: store, onProblem }))
}

type Parts = Awaited<ReturnType<typeof startParts>>

/** Opens the ports. After a failure, none of them is open. */
async function listen(
  resolved: ResolvedServiceOptions,
  parts: Parts,
  log: Log,
): Promise<LocalService> {
  const { host, port, apiKey, allowOrigins } = resolved
  const { engines, calls, voiceList, sharedSound } = parts
  /** It still serves, but says in `/healthz` that it will not for long. */
  let isLeaving = false
  const stopping = new AbortController()
  const appOptions = toAppOptions(resolved, parts, (error) => {
    // A response that takes longer than the limit of the stop loses its engine.
    const isEndedByStop = stopping.signal.aborted && error instanceof EngineError
    if (!isEndedByStop) log.failed(error)
  })
  const app = createApp({
    ...appOptions,
    apiKey,
    allowOrigins,
    metrics: createMetrics({ engines, voiceList, sharedSound }),
    calls,
    onRequestEnd: log.finished,
    isLeaving: () => isLeaving,
    isStopping: () => stopping.signal.aborted,
  })
  const wyoming = await openWyoming(resolved, appOptions)
  const server = await openServer({ fetch: app.fetch, host, port }).catch(async (error) => {
    await wyoming?.close()
    throw error
  })
  const agent = await openAgent(resolved, () => (isLeaving ? 0 : percentFree(engines))).catch(
    async (error) => {
      await Promise.all([server.close(), wyoming?.close()])
      throw error
    },
  )
  const offer = new WyomingOffer(appOptions)
  log.started(server.baseUrl, wyoming?.url)
  if (resolved.warmUp) void warmUp(appOptions, log, stopping.signal)

  const stop = async () => {
    const { stopDelayMs, stopLimitMs } = resolved
    log.stopping()
    isLeaving = true
    if (stopDelayMs > 0) await wait(stopDelayMs)
    stopping.abort()
    const drained = [server.drain(stopLimitMs), wyoming?.drain(stopLimitMs), calls.close()]
    await Promise.all(drained)
    const ports = [server.close(), agent?.close(), wyoming?.close(), offer.set()]
    await Promise.all([...ports, parts.close()])
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

async function openAgent(
  { host, agentPort }: ResolvedServiceOptions,
  readPercent: () => number,
): Promise<AgentCheck | undefined> {
  return agentPort === undefined
    ? undefined
    : openAgentCheck({ host, port: agentPort, readPercent })
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
  { calls: _calls, close: _close, ...parts }: Parts,
  onFailure: (error: unknown) => void,
): AppOptions {
  const { chatUpstream, chatUpstreamKey, strict } = resolved
  return {
    ...parts,
    chatUpstream: chatUpstream ? { baseUrl: chatUpstream, apiKey: chatUpstreamKey } : undefined,
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
