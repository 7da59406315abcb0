import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import { type FlitePhrase, runFliteProgram } from './flite-program.ts'

export interface FliteWorkerData {
  module: WebAssembly.Module
  voice: string
  /** One number that grows with every phrase that was posted. */
  signal: Int32Array
}

const port = parentPort!
const { module, voice, signal } = workerData as FliteWorkerData

// The thread never gets back to its event loop: flite runs on it for good, waits at the bell and reads its mail there.
await runFliteProgram({
  module,
  voice,
  nextPhrase() {
    for (;;) {
      const rings = Atomics.load(signal, 0)
      const received = receiveMessageOnPort(port) as { message: FlitePhrase } | undefined
      if (received) return received.message
      Atomics.wait(signal, 0, rings)
    }
  },
  onSpeech(speech) {
    port.postMessage(speech, [speech.samples.buffer as ArrayBuffer])
  },
})
