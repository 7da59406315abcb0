import { readWavHeader, startsWithRiff, wholeSamples } from '@parlando/core/audio'
import { aLawSample, muLawSample } from '../audio/g711.ts'
import { fromInt16, toInt16 } from '../audio/pcm.ts'
import { createResampler } from '../audio/resampler.ts'
import { ServiceError } from '../errors/service-error.ts'
import { recogniserRateHertz } from '../recognisers/recogniser.ts'

export interface PcmFormat {
  sampleRateHertz: number
  channels: number
  /** Default: 16-bit PCM. The others have 8 bits. */
  encoding?: keyof typeof decoders
}

/** Converts sound, in pieces of any length, to what recognisers take. */
export interface PcmReader {
  /**
   * @returns the samples, in parts that are converted one by one, so that a long piece need not hold the event loop.
   * @throws {ServiceError} if the piece begins with a WAV header of another format.
   */
  push(bytes: Uint8Array): Iterable<Int16Array>
  /** @returns the samples that were held back. */
  end(): Int16Array
  /** Frees memory. Must be called after success and after failure. */
  close(): void
}

/** Each converts its encoding to 16-bit PCM. */
const decoders = {
  PCM: (bytes: Uint8Array) => bytes,
  MULAW: createG711Decoder(muLawSample),
  ALAW: createG711Decoder(aLawSample),
}

/** The converter works on this much at a time. */
const partSeconds = 1

export async function createPcmReader({
  sampleRateHertz,
  channels,
  encoding = 'PCM',
}: PcmFormat): Promise<PcmReader> {
  const decode = decoders[encoding]
  const resampler = await createResampler({
    inputRateHertz: sampleRateHertz,
    outputRateHertz: recogniserRateHertz,
  })
  const isUnchanged = sampleRateHertz === recogniserRateHertz
  const resample = (samples: Int16Array) =>
    isUnchanged ? samples : toInt16(resampler.push(fromInt16(samples)))
  const frameBytes = 2 * channels
  const partBytes = frameBytes * sampleRateHertz * partSeconds
  const whole = wholeSamples(frameBytes)

  return {
    *push(bytes) {
      const sound = withoutHeader(decode(bytes), { sampleRateHertz, channels })
      const complete = whole(sound)
      for (let start = 0; start < complete.length; start += partBytes) {
        yield resample(mixChannels(complete.subarray(start, start + partBytes), channels))
      }
    },
    end: () => (isUnchanged ? new Int16Array() : toInt16(resampler.end())),
    close: () => resampler.close(),
  }
}

/** Some programs send a WAV file, or several in a row. Each header would be a crackle. */
function withoutHeader(bytes: Uint8Array, format: PcmFormat): Uint8Array {
  if (!startsWithRiff(bytes)) return bytes
  const header = readWavHeader(bytes)
  const isSame =
    header?.bitsPerSample === 16 &&
    header.sampleRateHertz === format.sampleRateHertz &&
    header.channels === format.channels
  if (isSame) return bytes.subarray(header.dataOffset)
  const found = header
    ? `${header.sampleRateHertz} Hz, ${header.channels} channels and ${header.bitsPerSample} bits`
    : 'an incomplete header'
  throw new ServiceError(
    'INVALID_ARGUMENT',
    `audioChunk: the audio is a WAV file with ${found}; send LINEAR16 of 16 bits without a header, and its sampleRateHertz and numberOfChannels in transcribeConfig`,
  )
}

function mixChannels(bytes: Uint8Array, channels: number): Int16Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const samples = new Int16Array(bytes.length / 2 / channels)
  for (let index = 0; index < samples.length; index++) {
    let sum = 0
    for (let channel = 0; channel < channels; channel++) {
      sum += view.getInt16(2 * (index * channels + channel), true)
    }
    samples[index] = sum / channels
  }
  return samples
}

function createG711Decoder(sampleOf: (byte: number) => number): (bytes: Uint8Array) => Uint8Array {
  const samples = Array.from({ length: 256 }, (_, byte) => sampleOf(byte))
  return (bytes) => {
    const pcm = new DataView(new ArrayBuffer(bytes.length * 2))
    for (let at = 0; at < bytes.length; at++) pcm.setInt16(at * 2, samples[bytes[at]!]!, true)
    return new Uint8Array(pcm.buffer)
  }
}
