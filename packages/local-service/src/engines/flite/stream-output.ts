import { fromPcmBytes } from '../../audio/pcm.ts'

/** The rate of all voices of Flite that the service offers. */
export const sampleRateHertz = 16_000

/** Receives sound of Flite. @param isSentenceStart whether a sentence begins with it. */
export type SoundListener = (samples: Float32Array, isSentenceStart: boolean) => void

export interface StreamOutputOptions {
  memory: WebAssembly.Memory
  table: WebAssembly.Table
  /** The place in the table of the function to which Flite passes sound. */
  callbackIndex: number
  /** @returns the length of the next piece. Only the last piece of a sentence may be shorter. */
  pieceSamples(): number
  /** Whether to end the speech before its last piece. */
  isStopped(): boolean
  onSound: SoundListener
}

// Byte offset of the samples in Flite's structure `cst_wave`, in 32-bit memory.
const waveSamples = 16
const continueSpeech = 0
const stopSpeech = -1

/**
 * Passes on the sound of `-o stream` while Flite makes it: replaces the function that would play it, which Flite calls
 * after every few hundred samples of a sentence. The buffer of the sentence contains all samples so far.
 */
export function connectStreamOutput(options: StreamOutputOptions): void {
  const { memory, table, callbackIndex, pieceSamples, isStopped, onSound } = options
  let sent = 0
  const receive = (wave: number, start: number, size: number, isLast: number): number => {
    if (start === 0) sent = 0
    for (;;) {
      const left = start + size - sent
      // The sentence has been spoken: there is nothing to stop.
      if (isLast && left === 0) return continueSpeech
      if (isStopped()) return stopSpeech
      const length = Math.min(left, pieceSamples())
      if (length === 0 || (length < pieceSamples() && !isLast)) return continueSpeech
      const samplesAt = new DataView(memory.buffer).getUint32(wave + waveSamples, true)
      const bytes = new Uint8Array(memory.buffer, samplesAt + sent * 2, length * 2)
      const isSentenceStart = sent === 0
      sent += length
      onSound(fromPcmBytes(bytes), isSentenceStart)
    }
  }
  table.set(callbackIndex, toWasmFunction(receive))
}

/**
 * A table accepts only functions of WebAssembly. This module imports a function with five integer parameters and an integer
 * result, and exports it: `(module (import "a" "a" (func (param i32 i32 i32 i32 i32) (result i32))) (export "a" (func 0)))`.
 */
const adapter = new Uint8Array([
  ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
  ...[0x01, 0x0a, 0x01, 0x60, 0x05, 0x7f, 0x7f, 0x7f, 0x7f, 0x7f, 0x01, 0x7f],
  ...[0x02, 0x07, 0x01, 0x01, 0x61, 0x01, 0x61, 0x00, 0x00],
  ...[0x07, 0x05, 0x01, 0x01, 0x61, 0x00, 0x00],
])

function toWasmFunction(call: (...parameters: number[]) => number): WebAssembly.ExportValue {
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(adapter), { a: { a: call } })
  return exports['a']!
}
