import { toInt16 } from '../dsp/pcm.ts'
import type { Encoder } from './encoder-types.ts'

// Shorter blocks than usual, which cost some percent of size: a block must be full before any of it travels.
const blocksPerSecond = 20
const compressionLevel = 5
const bitsPerSample = 16

/** FLAC, mono, 16 bits. The length in its header stays open, since nobody knows it when the header travels. */
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
  let made: Uint8Array[] = []
  const take = (): Uint8Array => {
    const bytes = Buffer.concat(made)
    made = []
    return bytes
  }
  // Copies, because the encoder hands out a view on memory that it uses again.
  const status = flac.init_encoder_stream(encoder, (bytes) => void made.push(bytes.slice()))
  if (encoder === 0 || status !== 0) throw new Error(`No FLAC encoder: status ${status}`)
  return {
    push(samples) {
      const integers = Int32Array.from(toInt16(samples))
      if (!flac.FLAC__stream_encoder_process_interleaved(encoder, integers, integers.length)) {
        throw new Error(
          `FLAC took no samples: state ${flac.FLAC__stream_encoder_get_state(encoder)}`,
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

/** Its WebAssembly form looks for its file with `fetch`, which Node refuses; this is the one compiled to asm.js. */
async function loadFlac(): Promise<Flac> {
  const module = (await import('libflacjs/dist/libflac.js')) as unknown as { default: Flac }
  return module.default
}
