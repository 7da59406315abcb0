import { type ChildProcess, fork } from 'node:child_process'
import type { WyomingServerOptions } from './api/wyoming/wyoming-server.ts'
import { toEnvironment } from './config/command-line.ts'
import type { LocalServiceOptions } from './options.ts'
import { exitReasonOf } from './processes/exit-reason.ts'
import { memoryEnvironment, memoryOptions } from './processes/node-settings.ts'
import { programPath } from './processes/program.ts'

// Each real model takes seconds to load, on a small or busy machine half a minute.
const startTimeoutMs = 300_000
const silenceTimeoutMs = 30_000
// A process that hangs does not notice that its parent has disconnected.
const killAfterMs = 1_000
const maxErrorCharacters = 2_000

/**
 * The options of the service, except those that do not apply to a child process, which listens on a free port of the
 * loopback interface and stops at once.
 */
export interface ChildServiceOptions
  extends Omit<LocalServiceOptions, 'host' | 'port' | 'stopDelayMs' | 'stopLimitMs'> {
  /** The key that every request must carry. */
  apiKey: string
  /** Stops the process when aborted, also while it is starting. */
  signal?: AbortSignal
  /** Called when the process exits although `close` was not called. */
  onExit?(reason: string): void
  /** Called when it cannot do what `offerWyoming` asked for. */
  onProblem?(reason: string): void
}

/** A service that runs in a child process. */
export interface ChildService {
  /** Its address, without a trailing slash. */
  baseUrl: string
  /** Opens a Wyoming server in place of an earlier one, or closes it without options. */
  offerWyoming(options?: WyomingServerOptions): void
  /** Stops the process at once and cuts off running requests. */
  close(): Promise<void>
}

const environmentDefaults = {
  // Nobody reads the log of the child; only the error that it may exit with is reported.
  PARLANDO_LOCAL_LOG_LEVEL: 'error',
  ...memoryEnvironment,
}

/**
 * Starts the service in a child process on a free port of the loopback interface, so that it can neither block nor
 * crash the caller. The child exits when the caller exits, even if the caller is killed.
 * @throws {Error} if the process does not start within 5 minutes, or shows no sign of life for 30 s; the message contains its
 * error output.
 */
export async function startLocalServiceProcess(
  options: ChildServiceOptions,
): Promise<ChildService> {
  const { signal, onExit, onProblem, ...serviceOptions } = options
  const child = fork(programPath('cli'), ['--host', '127.0.0.1', '--port', '0'], {
    // Keys travel in the environment, because every user of the machine can read the arguments.
    env: { ...environmentDefaults, ...process.env, ...toEnvironment(serviceOptions) },
    execArgv: memoryOptions,
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  let errorOutput = ''
  child.stderr?.on('data', (data) => {
    errorOutput = (errorOutput + data).slice(-maxErrorCharacters)
  })
  const exited = new Promise<void>((resolve) => {
    child.once('exit', () => resolve())
    child.once('error', () => resolve())
  })

  let isClosing = false
  const close = async () => {
    isClosing = true
    if (child.connected) child.disconnect()
    const kill = setTimeout(() => child.kill('SIGKILL'), killAfterMs)
    await exited
    clearTimeout(kill)
  }
  signal?.addEventListener('abort', close, { once: true })
  if (signal?.aborted) void close()
  void exited.then(() => signal?.removeEventListener('abort', close))

  const exitReason = () => exitReasonOf(errorOutput, child)
  try {
    const baseUrl = await readBaseUrl(child, exitReason)
    void exited.then(() => {
      if (!isClosing) onExit?.(exitReason())
    })
    child.on('message', ({ problem }: { problem?: string }) => problem && onProblem?.(problem))
    const offerWyoming = (wyoming?: WyomingServerOptions) => {
      if (child.connected) child.send({ wyoming })
    }
    return { baseUrl, offerWyoming, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** Waits for the message that the child sends once it listens. Until then, it reports that it is still starting. */
function readBaseUrl(child: ChildProcess, exitReason: () => string): Promise<string> {
  return new Promise((resolve, reject) => {
    const failAfter = (limitMs: number) =>
      setTimeout(() => fail(`not ready after ${limitMs / 1000} s`), limitMs)
    const limits = [failAfter(startTimeoutMs), failAfter(silenceTimeoutMs)] as const
    const stop = () => {
      limits.forEach(clearTimeout)
      child.off('message', takeMessage)
    }
    const fail = (reason: string) => {
      stop()
      reject(new Error(`The speech service of this device did not start: ${reason}`))
    }
    const takeMessage = ({ baseUrl }: { baseUrl?: string }) => {
      if (!baseUrl) return void limits[1].refresh()
      stop()
      resolve(baseUrl)
    }
    child.once('error', (error) => fail(error.message))
    child.once('exit', () => fail(exitReason()))
    child.on('message', takeMessage)
  })
}
