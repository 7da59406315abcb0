import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import { type FlitePhrase, runFliteProgram } from './run-flite.ts'

export interface FliteWorkerData {
  module: WebAssembly.Module
  voice: string
  /** A counter in shared memory that is incremented after every posted phrase. */
  signal: Int32Array
}

const port = parentPort!
const { module, voice, signal } = workerData as FliteWorkerData

// flite never yields to the event loop. The thread blocks on Atomics.wait and then reads its message synchronously.
await runFliteProgram({
  module,
  voice,
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
