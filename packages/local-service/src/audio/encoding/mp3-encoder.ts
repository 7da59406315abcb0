import { isDeepStrictEqual } from 'node:util'
import { createMp3Encoder, type WasmMediaEncoder } from 'wasm-media-encoders'
import type { Encoder } from './encoder-types.ts'

type Lame = WasmMediaEncoder<'audio/mpeg'>

type LameSettings = Parameters<Lame['configure']>[0]

interface IdleLame {
  lame: Lame
  settings: LameSettings
}

// Creating a LAME encoder takes 20 ms or more; configuring an idle one takes 1.3 ms.
const maxIdleEncoders = 8

/** Opens MP3 encoders and reuses them. */
export interface Mp3Pool {
  /**
   * Opens an encoder for mono at a constant bit rate.
   * @param options.bitRate in bits per second; the nearest bit rate of MP3 is used.
   */
  open(options: { sampleRateHertz: number; bitRate: number }): Promise<Encoder>
}

export function createMp3Pool(): Mp3Pool {
  const idle: IdleLame[] = []

  const acquire = async (settings: LameSettings): Promise<Lame> => {
    const alike = idle.findIndex((kept) => isDeepStrictEqual(kept.settings, settings))
    const [kept] = idle.splice(Math.max(alike, 0), 1)
    if (kept && alike >= 0) return kept.lame
    const lame = kept?.lame ?? (await createMp3Encoder())
    lame.configure(settings)
    return lame
  }

  /** Configures the encoder at once, so that the next utterance with the same settings does not wait for it. */
  const release = (lame: Lame, settings: LameSettings) => {
    if (idle.length >= maxIdleEncoders) return
    lame.configure(settings)
    idle.push({ lame, settings })
  }

  return {
    async open(options) {
      const settings = {
        channels: 1,
        sampleRate: options.sampleRateHertz,
        outputSampleRate: options.sampleRateHertz,
        bitrate: nearestBitRate(options),
      } as LameSettings
      const lame = await acquire(settings)
      return {
        // LAME returns a view of memory that it overwrites, so the bytes are copied.
        push: (samples) => lame.encode([samples]).slice(),
        end: () => lame.finalize().slice(),
        close: () => release(lame, settings),
      }
    },
  }
}

// Without 56 and 144, which the encoder does not accept.
const kilobitsFrom32kHz = [32, 40, 48, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
const kilobitsBelow32kHz = [8, 16, 24, 32, 40, 48, 64, 80, 96, 112, 128, 160]

/** The highest bit rate of MP3 at a sample rate, in bits per second. */
export function maxMp3BitRate(sampleRateHertz: number): number {
  return kilobitsAt(sampleRateHertz).at(-1)! * 1000
}

function kilobitsAt(sampleRateHertz: number): readonly number[] {
  return sampleRateHertz >= 32_000 ? kilobitsFrom32kHz : kilobitsBelow32kHz
}

function nearestBitRate(options: { sampleRateHertz: number; bitRate: number }): number {
  const rates = kilobitsAt(options.sampleRateHertz)
  const wanted = options.bitRate / 1000
  return rates.reduce((best, rate) =>
    Math.abs(rate - wanted) < Math.abs(best - wanted) ? rate : best,
  )
}
