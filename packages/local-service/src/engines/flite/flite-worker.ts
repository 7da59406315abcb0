import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import { openFliteModule } from './flite-module.ts'
import { type FliteEnd, type FlitePhrase, type FliteSound, runFliteProgram } from './run-flite.ts'

export interface FliteWorkerData {
  /** The path of `flite.wasm`. */
  path: string
  /** Shared memory: the number of the last phrase that was posted, and that of the phrase to stop. The first is 1. */
  signal: Int32Array
}

/** What the thread reports of a phrase: its sound in pieces, then its end. */
export type FliteReport = { sound: FliteSound } | { end: FliteEnd }

const port = parentPort!
const report = (message: FliteReport, transfer: ArrayBuffer[] = []) =>
  port.postMessage(message, transfer)
const { path, signal } = workerData as FliteWorkerData

let phraseNumber = 0

// flite never yields to the event loop. The thread blocks on Atomics.wait and then reads its message synchronously.
await runFliteProgram({
  module: openFliteModule(path),
  nextPhrase() {
    for (;;) {
      const counter = Atomics.load(signal, 0)
      const received = receiveMessageOnPort(port) as { message: FlitePhrase } | undefined
      if (received) {
        phraseNumber += 1
        return received.message
      }
      Atomics.wait(signal, 0, counter)
    }
  },
  onSound(sound) {
    report({ sound }, [sound.samples.buffer as ArrayBuffer])
  },
  isStopped: () => Atomics.load(signal, 1) === phraseNumber,
  onEnd(end) {
    report({ end })
  },
})
