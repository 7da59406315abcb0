import { setTimeout as wait } from 'node:timers/promises'
import { type AppOptions, createApp } from './api/app/app.ts'
import { WyomingOffer } from './api/wyoming/wyoming-offer.ts'
import { openWyomingServer, type WyomingServerOptions } from './api/wyoming/wyoming-server.ts'
import { openAll } from './concurrency/close-stack.ts'
import { percentFree } from './engines/engine-registry.ts'
import { EngineError } from './errors/engine-error.ts'
import { type Log, openLog } from './log.ts'
import { createMetrics } from './metrics/service-metrics.ts'
import { type LocalServiceOptions, type ResolvedServiceOptions, resolveOptions } from './options.ts'
import { createTrustedProxies } from './server/admission/trusted-proxies.ts'
import { type AgentCheck, openAgentCheck } from './server/agent-check.ts'
import { openServer } from './server/http-server.ts'
import { type ServiceParts, startServiceParts } from './service-parts.ts'
import { warmUp } from './warm-up.ts'

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
  const parts = await startServiceParts(resolved, {
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

/** Whether a service that stops still serves. */
interface Stopping {
  /** It still serves, but says in `/healthz` that it will not for long. */
  isLeaving: boolean
  /** Aborted when it serves no longer. */
  readonly controller: AbortController
}

/** Listens, until the service stops. */
async function listen(
  resolved: ResolvedServiceOptions,
  parts: ServiceParts,
  log: Log,
): Promise<LocalService> {
  const stopping: Stopping = { isLeaving: false, controller: new AbortController() }
  const { signal } = stopping.controller
  const appOptions = toAppOptions(resolved, parts, (error) => {
    // A response that takes longer than the limit of the stop loses its engine.
    const isEndedByStop = signal.aborted && error instanceof EngineError
    if (!isEndedByStop) log.failed(error)
  })
  const ports = await openPorts({ resolved, parts, appOptions, log, stopping })
  const { server, wyoming } = ports
  const offer = new WyomingOffer(appOptions)
  log.started(server.baseUrl, wyoming?.url)
  if (resolved.warmUp) void warmUp(appOptions, log, signal)

  const stop = async () => {
    const { stopDelayMs, stopLimitMs } = resolved
    log.stopping()
    stopping.isLeaving = true
    if (stopDelayMs > 0) await wait(stopDelayMs)
    stopping.controller.abort()
    const drained = [server.drain(stopLimitMs), wyoming?.drain(stopLimitMs), parts.calls.close()]
    await Promise.all(drained)
    await Promise.all([ports.close(), offer.set(), parts.close()])
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

interface PortOptions {
  resolved: ResolvedServiceOptions
  parts: ServiceParts
  appOptions: AppOptions
  log: Log
  stopping: Stopping
}

/** Opens the ports. After a failure, none of them is open. */
async function openPorts({ resolved, parts, appOptions, log, stopping }: PortOptions) {
  const { host, port, apiKey, allowOrigins, trustProxy } = resolved
  const { engines, calls, voiceList, sharedSound, jobs } = parts
  const app = createApp({
    ...appOptions,
    apiKey,
    allowOrigins,
    trustProxy,
    metrics: createMetrics({ engines, voiceList, sharedSound, jobs }),
    calls,
    onRequestEnd: log.finished,
    isLeaving: () => stopping.isLeaving,
    isStopping: () => stopping.controller.signal.aborted,
  })
  const readPercent = () => (stopping.isLeaving ? 0 : percentFree(engines))
  return openAll(async (stack) => {
    const wyoming = stack.add(await openWyoming(resolved, appOptions))
    const proxies = trustProxy.length > 0 ? createTrustedProxies(trustProxy) : undefined
    const server = stack.add(await openServer({ fetch: app.fetch, host, port, proxies }))
    stack.add(await openAgent(resolved, readPercent))
    return { server, wyoming, close: () => stack.close() }
  })
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
  { calls: _calls, close: _close, ...parts }: ServiceParts,
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
