import { type ResourceLimits, Worker } from 'node:worker_threads'
import { EngineError } from '../../engine-error.ts'
import { programPath } from '../../processes/program-path.ts'
import type {
  PhraseEnd,
  PhraseReport,
  PieceOfSound,
  ThreadData,
  ThreadPhrase,
} from './thread-protocol.ts'

/** A thread that speaks one phrase at a time. */
export interface SpeakingThread<Phrase extends ThreadPhrase, Sound extends PieceOfSound> {
  /**
   * Resolves after the last call of `onSound`, which receives the speech in pieces, with whether the phrase was stopped
   * before its end.
   * @throws {EngineError} `timeout` if the thread was stopped because it took too long, `unavailable` if it died. In both
   * cases it cannot be used again.
   */
  speak(phrase: Phrase, onSound: (sound: Sound) => void): Promise<{ isStopped: boolean }>
  /** Stops the phrase after the piece that is being made. */
  stop(): void
  readonly isAlive: boolean
  /** The memory that it uses for speech, which never shrinks. */
  readonly memoryBytes: number
  close(): Promise<void>
}

export interface SpeakingThreadOptions {
  /** The name of its program, such as `flite-worker`. */
  program: string
  /** What the program receives at its start. */
  data: unknown
  resourceLimits: ResourceLimits
  /**
   * Maximum time for a phrase, in milliseconds. For the first phrase it includes the start of the thread. Default: 10 s,
   * 30 s for the first phrase, plus a hundred times the usual duration.
   */
  limitMs?(phrase: ThreadPhrase, isFirst: boolean): number
}

interface Speaking<Sound> {
  onSound(sound: Sound): void
  resolve(end: PhraseEnd): void
  reject(error: Error): void
}

const defaultLimitMs = ({ text }: ThreadPhrase, isFirst: boolean) =>
  (isFirst ? 30_000 : 10_000) + text.length * 100

export function startSpeakingThread<Phrase extends ThreadPhrase, Sound extends PieceOfSound>({
  program,
  data: given,
  resourceLimits,
  limitMs = defaultLimitMs,
}: SpeakingThreadOptions): SpeakingThread<Phrase, Sound> {
  const signal = new Int32Array(new SharedArrayBuffer(8))
  const data: ThreadData = { given, signal }
  // execArgv of this process may contain options that threads reject.
  const worker = new Worker(programPath(program), {
    workerData: data,
    execArgv: [],
    resourceLimits,
  })
  let isAlive = true
  let hung = false
  let isFirst = true
  let memoryBytes = 0
  let speaking: Speaking<Sound> | undefined
  let limit: NodeJS.Timeout | undefined

  worker.on('message', (report: PhraseReport<Sound>) => {
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
