import { createResampler } from '../../sounds/polyphase-resampler.ts'

// The library of TypeScript for browsers leaves out the scope of worklets.
declare const sampleRate: number
interface ProcessorOptions {
  processorOptions: { sampleRateHertz: number }
}
declare const registerProcessor: (
  name: string,
  processor: new (options: ProcessorOptions) => object,
) => void
declare class AudioWorkletProcessor {
  readonly port: MessagePort
}

/**
 * Sends what the microphone records as packets of 20 ms. It changes the sample rate itself, since Firefox rejects a context
 * whose rate differs from that of the microphone.
 */
class MicrophoneProcessor extends AudioWorkletProcessor {
  readonly #resampler: ReturnType<typeof createResampler>
  readonly #packetSamples: number
  #packet: Int16Array
  #filled = 0

  constructor({ processorOptions: { sampleRateHertz } }: ProcessorOptions) {
    super()
    this.#resampler = createResampler(Math.round(sampleRate), sampleRateHertz)
    // 20 ms.
    this.#packetSamples = sampleRateHertz / 50
    this.#packet = new Int16Array(this.#packetSamples)
  }

  process([channels]: Float32Array[][]): true {
    const [samples] = channels ?? []
    for (const sample of samples ? this.#resampler.push(samples) : []) {
      this.#packet[this.#filled++] = Math.max(
        -0x8000,
        Math.min(0x7fff, Math.round(sample * 0x8000)),
      )
      if (this.#filled < this.#packetSamples) continue
      this.port.postMessage(this.#packet, [this.#packet.buffer])
      this.#packet = new Int16Array(this.#packetSamples)
      this.#filled = 0
    }
    return true
  }
}

registerProcessor('microphone', MicrophoneProcessor)
