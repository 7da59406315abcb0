import { wholeSamples } from '@parlando/core/audio'

/** How a source of Snapcast expects samples: signed, little-endian; 24 bits take four bytes. */
export interface SnapcastFormat {
  rateHertz: number
  bits: 16 | 24 | 32
  channels: number
}

const rates = [8000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000]

/** @param text such as `48000:16:2`. @returns undefined if sounds cannot be made in this format. */
export function readSampleFormat(text: string): SnapcastFormat | undefined {
  const [rate, bits, channels] = text.split(':').map(Number)
  if (!rates.includes(rate!) || !(channels! >= 1 && channels! <= 8)) return undefined
  if (bits !== 16 && bits !== 24 && bits !== 32) return undefined
  return { rateHertz: rate!, bits, channels: Math.trunc(channels!) }
}

export function bytesPerMs({ rateHertz, bits, channels }: SnapcastFormat): number {
  return (rateHertz * bytesPerSample(bits) * channels) / 1000
}

/** Turns 16-bit mono samples into those of a format. Chunks may split a sample. */
export async function* toSampleFormat(
  chunks: AsyncIterable<Uint8Array>,
  { bits, channels }: SnapcastFormat,
): AsyncGenerator<Buffer, void> {
  const whole = wholeSamples()
  const size = bytesPerSample(bits)
  for await (const chunk of chunks) {
    const mono = Buffer.from(whole(chunk))
    const samples = Buffer.alloc((mono.length / 2) * size * channels)
    let at = 0
    for (let from = 0; from < mono.length; from += 2) {
      const sample = mono.readInt16LE(from)
      for (let channel = 0; channel < channels; channel++) {
        if (size === 2) samples.writeInt16LE(sample, at)
        else samples.writeInt32LE(sample * 2 ** (bits - 16), at)
        at += size
      }
    }
    if (samples.length > 0) yield samples
  }
}

function bytesPerSample(bits: number): number {
  return bits === 16 ? 2 : 4
}
