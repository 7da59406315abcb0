import { toInt16 } from '../dsp/pcm.ts'
import type { Encoder } from './encoder-types.ts'
import { createOggPages, type OggPacket } from './ogg-writer.ts'

/** What is used of the package's WebAssembly form, which brings no types and, unlike its main one, no native code. */
interface OpusEncoder {
  ctl(request: number, value?: number): number
  encode(samples: Int16Array): Uint8Array
  drop(): void
}
type OpusConstructor = new (options: {
  channels: 1
  sample_rate: number
  application: 'audio'
}) => OpusEncoder

const setBitRate = 4002
const getLookahead = 4027

const opusRatesHertz = [8000, 16000, 24000, 48000]
const framesPerSecond = 50
// Whatever the rate of the samples is, positions count in this one.
const positionRateHertz = 48_000
// One stream in a file needs no name of its own, and the same request must give the same bytes.
const serial = 1

/** Opus knows few rates: what lies between is encoded at the next higher one. */
export function opusRateHertz(sampleRateHertz: number): number {
  return opusRatesHertz.find((rate) => rate >= sampleRateHertz) ?? positionRateHertz
}

/**
 * Opus in Ogg (RFC 7845), mono, with a page for every push.
 * @param options `sampleRateHertz` is what was asked for; the samples come at `opusRateHertz` of it.
 */
export async function openOpusEncoder(options: {
  sampleRateHertz: number
  bitRate: number
}): Promise<Encoder> {
  const Opus = await loadOpus()
  const rateHertz = opusRateHertz(options.sampleRateHertz)
  const opus = new Opus({ channels: 1, sample_rate: rateHertz, application: 'audio' })
  opus.ctl(setBitRate, options.bitRate)
  const positionsPerSample = positionRateHertz / rateHertz
  const skipped = opus.ctl(getLookahead) * positionsPerSample
  const pages = createOggPages(serial)
  const frameSamples = rateHertz / framesPerSecond

  let hasHeads = false
  let waiting = new Int16Array()
  let packetCount = 0
  let pushedSamples = 0

  /** At least one sample stays, so that there is a last packet at the end. */
  const takeFrames = (samples: Int16Array): OggPacket[] => {
    const packets: OggPacket[] = []
    let start = 0
    for (; start + frameSamples < samples.length; start += frameSamples) {
      packetCount += 1
      packets.push({
        bytes: opus.encode(samples.subarray(start, start + frameSamples)),
        granulePosition: packetCount * frameSamples * positionsPerSample,
      })
    }
    waiting = samples.slice(start)
    return packets
  }

  const write = (packets: OggPacket[], isLast: boolean): Uint8Array => {
    if (packets.length === 0) return new Uint8Array()
    const heads = hasHeads ? [] : [opusHead(skipped, options.sampleRateHertz), opusTags()]
    hasHeads = true
    const headPages = heads.map((bytes) => pages.write([{ bytes, granulePosition: 0 }]))
    return Buffer.concat([...headPages, pages.write(packets, isLast)])
  }

  return {
    push(samples) {
      pushedSamples += samples.length
      const joined = new Int16Array(waiting.length + samples.length)
      joined.set(waiting)
      joined.set(toInt16(samples), waiting.length)
      return write(takeFrames(joined), false)
    },
    end() {
      // Zeros fill the last frame and push out what the encoder holds back; the position tells where the sound ends.
      const soundEnd = pushedSamples * positionsPerSample + skipped
      const missing = Math.ceil(soundEnd / positionsPerSample) - packetCount * frameSamples
      const frames = Math.ceil(missing / frameSamples)
      const padded = new Int16Array(frames * frameSamples + 1)
      padded.set(waiting)
      const packets = takeFrames(padded)
      const last = packets.at(-1)
      if (last) last.granulePosition = soundEnd
      return write(packets, true)
    },
    close: () => opus.drop(),
  }
}

async function loadOpus(): Promise<OpusConstructor> {
  // @ts-expect-error: this form of the package has no types; those that are used stand above.
  const module = await import('@evan/opus/wasm/index.mjs')
  return (module as { Encoder: OpusConstructor }).Encoder
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
