import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import { openFliteModule } from './flite-module.ts'
import { type FlitePhrase, runFliteProgram } from './run-flite.ts'

export interface FliteWorkerData {
  /** The path of `flite.wasm`. */
  path: string
  /** A counter in shared memory that is incremented after every posted phrase. */
  signal: Int32Array
}

const port = parentPort!
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
  onSpeech(speech) {
    port.postMessage(speech, [speech.samples.buffer as ArrayBuffer])
  },
})
