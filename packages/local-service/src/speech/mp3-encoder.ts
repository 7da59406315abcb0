import { createMp3Encoder, type WasmMediaEncoder } from 'wasm-media-encoders'
import type { Encoder } from './encoder.ts'

type Lame = WasmMediaEncoder<'audio/mpeg'>

// A new LAME costs 20 ms and more, a used one under 2: so they are kept, as many as were ever busy at once, at most
// this many.
const keptEncoders = 8
const idle: Lame[] = []

/** Makes sure that the first utterance finds an encoder. */
export async function warmMp3Encoder(): Promise<void> {
  const encoder = await openMp3Encoder({ sampleRateHertz: 24_000, bitRate: 128_000 })
  encoder.push(new Float32Array(4800))
  encoder.end()
  encoder.close()
}

/** Constant bit rate, mono. @param bitRate in bits per second; the next one that MP3 has is taken. */
export async function openMp3Encoder(options: {
  sampleRateHertz: number
  bitRate: number
}): Promise<Encoder> {
  const lame = idle.pop() ?? (await createMp3Encoder())
  const { sampleRateHertz } = options
  lame.configure({
    channels: 1,
    sampleRate: sampleRateHertz,
    outputSampleRate: sampleRateHertz as 16_000,
    bitrate: nearestBitRate(options) as 128,
  })
  return {
    // Copies, because LAME hands out a view on memory that it uses again.
    push: (samples) => lame.encode([samples]).slice(),
    end: () => lame.finalize().slice(),
    close() {
      if (idle.length < keptEncoders) idle.push(lame)
    },
  }
}

const kilobitsFrom32kHz = [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
const kilobitsBelow32kHz = [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]

function nearestBitRate(options: { sampleRateHertz: number; bitRate: number }): number {
  const rates = options.sampleRateHertz >= 32_000 ? kilobitsFrom32kHz : kilobitsBelow32kHz
  const asked = options.bitRate / 1000
  return rates.reduce((best, rate) =>
    Math.abs(rate - asked) < Math.abs(best - asked) ? rate : best,
  )
}
