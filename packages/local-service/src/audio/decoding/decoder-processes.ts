import { RecordingError } from '@parlando/core/audio'
import { createSlots } from '../../concurrency/slots.ts'
import { startChild } from '../../processes/child.ts'
import { programPath } from '../../processes/program.ts'
import type { FromDecoder, ToDecoder } from './decode-protocol.ts'

/** A process that decodes one sound. */
export interface DecoderProcess {
  /** @throws {RecordingError} if the process ends, because it takes too much memory. */
  ask(message: ToDecoder): Promise<FromDecoder>
  kill(): void
  /** Ends the use. @param isReusable whether the process has decoded its sound, and can take another one. */
  release(isReusable: boolean): void
}

interface Worker {
  ask(message: ToDecoder): Promise<FromDecoder>
  isAlive(): boolean
  end(): Promise<void>
  keepParentAlive(isKept: boolean): void
}

/** Each takes 50 MB and up to 192 MiB for its sound. */
const maxProcesses = 8
/** The start takes a tenth of a second, so that of the next sentence should not wait for it. */
const maxIdle = 2
const idleLimitMs = 30_000

/** Starts processes that decode, and keeps some of them for the next sounds. @param size how many may be in use. */
export function createDecoderPool(size = maxProcesses) {
  const idle: Worker[] = []
  const slots = createSlots({ slots: size })

  const keep = (worker: Worker) => {
    worker.keepParentAlive(false)
    idle.push(worker)
    const end = () => {
      const index = idle.indexOf(worker)
      if (index < 0) return
      idle.splice(index, 1)
      void worker.end()
    }
    setTimeout(end, idleLimitMs).unref()
  }
  const use = (worker: Worker, releaseSlot: () => void): DecoderProcess => {
    worker.keepParentAlive(true)
    return {
      ask: worker.ask,
      kill: () => void worker.end(),
      release(isReusable) {
        if (isReusable && worker.isAlive() && idle.length < maxIdle) keep(worker)
        else void worker.end()
        releaseSlot()
      },
    }
  }
  return {
    /** Waits until fewer are in use than the pool may have. @throws the reason of the signal. */
    async acquire(signal: AbortSignal): Promise<DecoderProcess> {
      const release = await slots.acquire(signal)
      try {
        return use(idle.pop() ?? (await startDecoder()), release)
      } catch (error) {
        release()
        throw error
      }
    },
  }
}

/** The pool of this process. */
export const decoders = createDecoderPool()

async function startDecoder(): Promise<Worker> {
  let settle: { resolve(report: FromDecoder): void; reject(error: Error): void } | undefined
  const child = await startChild<undefined, ToDecoder, FromDecoder>(
    programPath('decode-program'),
    [],
    (report) => settle?.resolve(report),
  )
  const fail = () => settle?.reject(new RecordingError('too-much-memory', {}))
  void child.exited.then(fail)
  return {
    ask: (message) =>
      new Promise((resolve, reject) => {
        settle = { resolve, reject }
        if (child.isAlive) child.send(message)
        else fail()
      }),
    isAlive: () => child.isAlive,
    end: child.end,
    keepParentAlive: child.keepParentAlive,
  }
}
