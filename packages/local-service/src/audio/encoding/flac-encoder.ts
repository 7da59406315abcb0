import { toInt16 } from '../pcm.ts'
import type { Encoder } from './encoder-types.ts'

// Shorter blocks than usual, for low latency: a block is only sent when it is full. They cost a few percent of size.
const blocksPerSecond = 20
const compressionLevel = 5
const bitsPerSample = 16

/** FLAC, mono, 16 bits. Its header leaves the length unset, because it is sent before the length is known. */
export async function openFlacEncoder(options: { sampleRateHertz: number }): Promise<Encoder> {
  const { sampleRateHertz } = options
  const flac = await loadFlac()
  const blockSamples = Math.round(sampleRateHertz / blocksPerSecond)
  const encoder = flac.create_libflac_encoder(
    sampleRateHertz,
    1,
    bitsPerSample,
    compressionLevel,
    0,
    false,
    blockSamples,
  )
  let chunks: Uint8Array[] = []
  const take = (): Uint8Array => {
    const bytes = Buffer.concat(chunks)
    chunks = []
    return bytes
  }
  // The encoder passes a view of memory that it overwrites, so the bytes are copied.
  const status = flac.init_encoder_stream(encoder, (bytes) => void chunks.push(bytes.slice()))
  if (encoder === 0 || status !== 0) throw new Error(`No FLAC encoder: status ${status}`)
  return {
    push(samples) {
      const integers = Int32Array.from(toInt16(samples))
      if (!flac.FLAC__stream_encoder_process_interleaved(encoder, integers, integers.length)) {
        throw new Error(
          `The FLAC encoder rejects samples: state ${flac.FLAC__stream_encoder_get_state(encoder)}`,
        )
      }
      return take()
    },
    end() {
      flac.FLAC__stream_encoder_finish(encoder)
      return take()
    },
    close: () => flac.FLAC__stream_encoder_delete(encoder),
  }
}

type Flac = typeof import('libflacjs/dist/libflac.js')

/** The asm.js build. The WebAssembly build loads its file with `fetch`, which does not read files in Node. */
async function loadFlac(): Promise<Flac> {
  const module = (await import('libflacjs/dist/libflac.js')) as unknown as { default: Flac }
  return module.default
}
