import { randomInt } from 'node:crypto'
import { toInt16 } from '../pcm.ts'
import { joinPcm } from '../signal.ts'
import type { Encoder } from './encoder-types.ts'
import { loadOpus, setBitRate } from './load-opus.ts'
import { createOggPages, type OggPacket } from './ogg-writer.ts'

const getLookahead = 4027

const opusRatesHertz = [8000, 16000, 24000, 48000]
const framesPerSecond = 50
// Granule positions always count samples of this rate (RFC 7845).
const positionRateHertz = 48_000

/** Opus has few sample rates. Other rates are encoded at the next higher one. */
export function opusRateHertz(sampleRateHertz: number): number {
  return opusRatesHertz.find((rate) => rate >= sampleRateHertz) ?? positionRateHertz
}

/**
 * Opus in Ogg (RFC 7845), mono, at least one page for every push that completes a frame.
 * @param options.sampleRateHertz the requested rate. The pushed samples must have the rate `opusRateHertz` returns for it.
 */
export async function openOpusEncoder(options: {
  sampleRateHertz: number
  bitRate: number
}): Promise<Encoder> {
  const { Encoder: Opus } = await loadOpus()
  const rateHertz = opusRateHertz(options.sampleRateHertz)
  const opus = new Opus({ channels: 1, sample_rate: rateHertz, application: 'audio' })
  opus.ctl(setBitRate, options.bitRate)
  const positionsPerSample = positionRateHertz / rateHertz
  const skipped = opus.ctl(getLookahead) * positionsPerSample
  // Random, so that a player can distinguish the streams of several responses in one file (RFC 3533, 4).
  const pages = createOggPages(randomInt(2 ** 32))
  const frameSamples = rateHertz / framesPerSecond
  const takeFrames = createFrames(frameSamples)
  let hasHeaders = false
  let packetCount = 0
  let pushedSamples = 0

  const encode = (frames: readonly Int16Array[]): OggPacket[] =>
    frames.map((frame) => {
      packetCount += 1
      const granulePosition = packetCount * frame.length * positionsPerSample
      return { bytes: opus.encode(frame), granulePosition }
    })
  const write = (packets: OggPacket[], isLast: boolean): Uint8Array => {
    if (packets.length === 0) return new Uint8Array()
    const headers = hasHeaders ? [] : [opusHead(skipped, options.sampleRateHertz), opusTags()]
    hasHeaders = true
    const headerPages = headers.map((bytes) => pages.write([{ bytes, granulePosition: 0 }]))
    return Buffer.concat([...headerPages, pages.write(packets, isLast)])
  }

  return {
    push(samples) {
      pushedSamples += samples.length
      return write(encode(takeFrames(toInt16(samples))), false)
    },
    end() {
      // Zeros fill the last frame and flush the encoder. The position of the last packet marks the end of the audio.
      const audioEnd = pushedSamples * positionsPerSample + skipped
      const missing = Math.ceil(audioEnd / positionsPerSample) - packetCount * frameSamples
      const count = Math.ceil(missing / frameSamples)
      const padding = new Int16Array((count + 1) * frameSamples)
      const packets = encode(takeFrames(padding).slice(0, count))
      const last = packets.at(-1)
      if (last) last.granulePosition = audioEnd
      return write(packets, true)
    },
    close: () => opus.drop(),
  }
}

/** @returns cuts samples into frames. It keeps at least one sample, so that there is always a last frame to come. */
function createFrames(frameSamples: number): (samples: Int16Array) => Int16Array[] {
  let waiting = new Int16Array()
  return (samples) => {
    const joined = joinPcm([waiting, samples])
    const count = Math.max(0, Math.ceil(joined.length / frameSamples) - 1)
    waiting = joined.slice(count * frameSamples)
    return Array.from({ length: count }, (_, index) =>
      joined.subarray(index * frameSamples, (index + 1) * frameSamples),
    )
  }
}

function opusHead(skippedPositions: number, inputRateHertz: number): Uint8Array {
  const head = Buffer.alloc(19)
  head.write('OpusHead', 0, 'latin1')
  head.writeUInt8(1, 8)
  head.writeUInt8(1, 9)
  head.writeUInt16LE(skippedPositions, 10)
  head.writeUInt32LE(inputRateHertz, 12)
  return head
}

function opusTags(): Uint8Array {
  const vendor = 'parlando'
  const tags = Buffer.alloc(8 + 4 + vendor.length + 4)
  tags.write('OpusTags', 0, 'latin1')
  tags.writeUInt32LE(vendor.length, 8)
  tags.write(vendor, 12, 'latin1')
  return tags
}
