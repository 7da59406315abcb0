import { loadOpus, setBitRate } from './load-opus.ts'

/** Encodes and decodes single packets of Opus, mono. PCM is 16-bit little-endian. */
export interface OpusPackets {
  /** @param pcm of 2.5, 5, 10, 20, 40 or 60 ms. */
  encode(pcm: Uint8Array): Uint8Array
  /** @returns PCM; nothing for a malformed packet. */
  decode(packet: Uint8Array): Uint8Array
  /** Frees memory. Must be called after success and after failure. Later packets have no sound. */
  close(): void
}

// Transparent for speech at 24 kHz.
const bitRate = 32_000
const nothing = new Uint8Array()

export async function openOpusPackets(sampleRateHertz: 24_000): Promise<OpusPackets> {
  const opus = await loadOpus()
  const options = { channels: 1, sample_rate: sampleRateHertz } as const
  const encoder = new opus.Encoder({ ...options, application: 'audio' })
  const decoder = new opus.Decoder(options)
  encoder.ctl(setBitRate, bitRate)
  let isClosed = false
  return {
    encode: (pcm) => (isClosed ? nothing : encoder.encode(pcm)),
    decode(packet) {
      if (isClosed) return nothing
      try {
        return decoder.decode(packet)
      } catch {
        return nothing
      }
    },
    close() {
      isClosed = true
      encoder.drop()
      decoder.drop()
    },
  }
}
