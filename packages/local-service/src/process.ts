import { type ChildProcess, fork } from 'node:child_process'
import { createRequire } from 'node:module'
import type { LocalServiceOptions } from './config/options.ts'
import { toEnvironment } from './config/settings.ts'

// By the package's own name, so that it is found from the sources as well as from the built files.
const cliPath = createRequire(import.meta.url).resolve('@parlando/local-service/cli')

const startLimitMs = 30_000
// For a process that hangs and does not notice that it is let go of.
const killAfterMs = 1_000

/**
 * The options of the service, but for where it listens, on a free port of this machine alone, and for how long it may
 * take to stop.
 */
export interface ChildServiceOptions
  extends Omit<LocalServiceOptions, 'host' | 'port' | 'stopLimitMs'> {
  /** The key every request must carry. */
  apiKey: string
  /** Ends the process, also while it is still starting. */
  signal?: AbortSignal
  /** Called when the process ends without having been told to. */
  onExit?(reason: string): void
}

/** A service that listens in a process of its own. */
export interface ChildService {
  /** Where it listens, without a slash at the end. */
  baseUrl: string
  /** Ends the process at once; what runs is cut off. */
  close(): Promise<void>
}

const surroundings = {
  // It would be lost, but for the failure it may end with.
  PARLANDO_LOCAL_LOG_LEVEL: 'error',
  // The allocator of Linux keeps what was freed for each of many arenas: with threads that come and go, some 50 MB more.
  MALLOC_ARENA_MAX: '2',
}

/**
 * Starts the service in a process of its own, on a free port of this machine, so that nothing it does can hold up or
 * end the caller. It ends with the caller, however that ends.
 */
export async function startLocalServiceProcess(
  options: ChildServiceOptions,
): Promise<ChildService> {
  const child = fork(cliPath, ['--host', '127.0.0.1', '--port', '0'], {
    // The keys go by the environment, since arguments can be read by every user of the machine.
    env: { ...surroundings, ...process.env, ...toEnvironment(options) },
    execArgv: [],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  let lastWords = ''
  child.stderr?.on('data', (data) => {
    lastWords = (lastWords + data).slice(-2000)
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
  options.signal?.addEventListener('abort', close, { once: true })
  if (options.signal?.aborted) void close()
  void exited.then(() => options.signal?.removeEventListener('abort', close))

  try {
    const baseUrl = await addressOf(child, () => lastWords.trim())
    void exited.then(() => {
      if (!isClosing) options.onExit?.(lastWords.trim() || 'it ended without a word')
    })
    return { baseUrl, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** Waits until the service tells where it listens. */
function addressOf(child: ChildProcess, lastWords: () => string): Promise<string> {
  return new Promise((resolve, reject) => {
    const fail = (reason: string) => {
      clearTimeout(limit)
      reject(new Error(`The speech service of this device did not start: ${reason}`))
    }
    const limit = setTimeout(() => fail(`not ready after ${startLimitMs} ms`), startLimitMs)
    child.once('error', (error) => fail(error.message))
    child.once('exit', () => fail(lastWords() || 'it ended at once'))
    child.once('message', (message) => {
      clearTimeout(limit)
      resolve((message as { baseUrl: string }).baseUrl)
    })
  })
}
