import { createRequire } from 'node:module'
import { Worker } from 'node:worker_threads'
import type { FlitePhrase, FliteSpeech } from './flite-program.ts'
import type { FliteWorkerData } from './flite-worker.ts'

// By the package's own name, so that it is found from the sources as well as from the built files.
const workerPath = createRequire(import.meta.url).resolve('@parlando/local-service/flite-worker')

/** A thread in which flite speaks with one voice, one phrase at a time. */
export interface FliteThread {
  /** @throws {Error} when the thread dies; it is of no more use then. */
  speak(phrase: FlitePhrase): Promise<FliteSpeech>
  readonly isAlive: boolean
  close(): Promise<void>
}

export function startFliteThread(module: WebAssembly.Module, voice: string): FliteThread {
  const bell = new Int32Array(new SharedArrayBuffer(4))
  const data: FliteWorkerData = { module, voice, bell }
  const worker = new Worker(workerPath, { workerData: data })
  let isAlive = true
  let settle: { resolve(speech: FliteSpeech): void; reject(error: Error): void } | undefined

  worker.on('message', (speech: FliteSpeech) => {
    settle?.resolve(speech)
    settle = undefined
  })
  const die = (cause: unknown) => {
    isAlive = false
    settle?.reject(new Error(`The flite thread of voice ${voice} ended`, { cause }))
    settle = undefined
  }
  worker.on('error', die)
  worker.on('exit', die)

  return {
    speak(phrase) {
      if (!isAlive) return Promise.reject(new Error(`The flite thread of voice ${voice} is gone`))
      return new Promise((resolve, reject) => {
        settle = { resolve, reject }
        worker.postMessage(phrase)
        Atomics.add(bell, 0, 1)
        Atomics.notify(bell, 0)
      })
    },
    get isAlive() {
      return isAlive
    },
    async close() {
      await worker.terminate()
    },
  }
}
