import { isDeepStrictEqual } from 'node:util'
import { createMp3Encoder, type WasmMediaEncoder } from 'wasm-media-encoders'
import type { Encoder } from './encoder.ts'

type Lame = WasmMediaEncoder<'audio/mpeg'>

interface Ready {
  lame: Lame
  settings: LameSettings
}

type LameSettings = Parameters<Lame['configure']>[0]

// A new LAME costs 20 ms and more, setting up a used one 1.3 ms: so they are kept, as many as were ever busy at once, at
// most this many, and each is set up at once for another utterance like the last.
const keptEncoders = 8
const ready: Ready[] = []

/** Constant bit rate, mono. @param bitRate in bits per second; the nearest one that MP3 has is taken. */
export async function openMp3Encoder(options: {
  sampleRateHertz: number
  bitRate: number
}): Promise<Encoder> {
  const settings = {
    channels: 1,
    sampleRate: options.sampleRateHertz,
    outputSampleRate: options.sampleRateHertz,
    bitrate: nearestBitRate(options),
  } as LameSettings
  const lame = await takeLame(settings)
  return {
    // Copies, because LAME hands out a view on memory that it uses again.
    push: (samples) => lame.encode([samples]).slice(),
    end: () => lame.finalize().slice(),
    close() {
      if (ready.length >= keptEncoders) return
      lame.configure(settings)
      ready.push({ lame, settings })
    },
  }
}

async function takeLame(settings: LameSettings): Promise<Lame> {
  const alike = ready.findIndex((kept) => isDeepStrictEqual(kept.settings, settings))
  const [kept] = ready.splice(Math.max(alike, 0), 1)
  if (kept && alike >= 0) return kept.lame
  const lame = kept?.lame ?? (await createMp3Encoder())
  lame.configure(settings)
  return lame
}

const kilobitsFrom32kHz = [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
const kilobitsBelow32kHz = [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]

/** @returns the most bits per second that MP3 has at the rate. */
export function highestMp3BitRate(sampleRateHertz: number): number {
  return kilobitsAt(sampleRateHertz).at(-1)! * 1000
}

function kilobitsAt(sampleRateHertz: number): readonly number[] {
  return sampleRateHertz >= 32_000 ? kilobitsFrom32kHz : kilobitsBelow32kHz
}

function nearestBitRate(options: { sampleRateHertz: number; bitRate: number }): number {
  const rates = kilobitsAt(options.sampleRateHertz)
  const asked = options.bitRate / 1000
  return rates.reduce((best, rate) =>
    Math.abs(rate - asked) < Math.abs(best - asked) ? rate : best,
  )
}
