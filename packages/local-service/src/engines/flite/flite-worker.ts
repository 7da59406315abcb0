import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import { openFliteModule } from './flite-module.ts'
import { type FlitePhrase, type FliteSound, runFliteProgram } from './run-flite.ts'

export interface FliteWorkerData {
  /** The path of `flite.wasm`. */
  path: string
  /** A counter in shared memory that is incremented after every posted phrase. */
  signal: Int32Array
}

/** What the thread reports of a phrase: its sound in pieces, then its end with the memory of flite. */
export type FliteReport = { sound: FliteSound } | { memoryBytes: number }

const port = parentPort!
const report = (message: FliteReport, transfer: ArrayBuffer[] = []) =>
  port.postMessage(message, transfer)
const { path, signal } = workerData as FliteWorkerData

// flite never yields to the event loop. The thread blocks on Atomics.wait and then reads its message synchronously.
await runFliteProgram({
  module: openFliteModule(path),
  nextPhrase() {
    for (;;) {
      const counter = Atomics.load(signal, 0)
      const received = receiveMessageOnPort(port) as { message: FlitePhrase } | undefined
      if (received) return received.message
      Atomics.wait(signal, 0, counter)
    }
  },
  onSound(sound) {
    report({ sound }, [sound.samples.buffer as ArrayBuffer])
  },
  onEnd(memoryBytes) {
    report({ memoryBytes })
  },
})
