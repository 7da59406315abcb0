import { oggChecksum, writeWavHeader } from '@parlando/core/audio'

/** Files of a few kilobytes, from which a decoder that trusts their headers makes gigabytes. */

/** A WAV file with silence. @param fields overwrites 16-bit fields of the header, by their offset. */
export function wavWith(fields: Readonly<Record<number, number>>, dataBytes = 4096): Buffer {
  const header = Buffer.from(writeWavHeader({ sampleRateHertz: 48_000, dataBytes }))
  for (const [offset, value] of Object.entries(fields)) header.writeUInt16LE(value, Number(offset))
  return Buffer.concat([header, Buffer.alloc(dataBytes)])
}

/** A WAV file whose blocks of IMA ADPCM state more samples than fit into them. */
export function imaWav(samplesPerBlock: number, dataBytes = 4096): Buffer {
  const format = Buffer.alloc(20)
  format.writeUInt16LE(0x11, 0)
  format.writeUInt16LE(1, 2)
  format.writeUInt32LE(48_000, 4)
  format.writeUInt16LE(4, 12)
  format.writeUInt16LE(4, 14)
  format.writeUInt16LE(2, 16)
  format.writeUInt16LE(samplesPerBlock, 18)
  const body = [Buffer.from('WAVE'), chunk('fmt ', format), chunk('data', Buffer.alloc(dataBytes))]
  return chunk('RIFF', Buffer.concat(body))
}

/** A chunk of a WAV file, with the padding after an odd length. */
export function chunk(id: string, content: Uint8Array): Buffer {
  const head = Buffer.alloc(8)
  head.write(id, 'latin1')
  head.writeUInt32LE(content.length, 4)
  return Buffer.concat([head, content, Buffer.alloc(content.length % 2)])
}

/** Ogg Opus whose packets state 120 ms of sound in a byte. @param packets at most 255. */
export function oggOpus(channels: number, packets = 250): Buffer {
  const sound = Array.from({ length: packets }, () => opusPacket)
  return Buffer.concat([
    oggPage(0, 2, [opusHead(channels)]),
    oggPage(1, 0, [Buffer.concat([Buffer.from('OpusTags'), Buffer.alloc(8)])]),
    oggPage(2, 4, sound, packets * 5760),
  ])
}

/** WebM with Opus, as small as its packets allow. */
export function webmOpus(channels: number, packets = 250): Buffer {
  const block = Buffer.concat([Buffer.from([0x81, 0, 0, 0x80]), opusPacket])
  const blocks = Array.from({ length: packets }, () => element('a3', block))
  const audio = element('e1', Buffer.concat([element('9f', Buffer.from([channels]))]))
  const track = [
    element('d7', Buffer.from([1])),
    element('83', Buffer.from([2])),
    element('86', Buffer.from('A_OPUS')),
    element('63a2', opusHead(channels)),
    audio,
  ]
  const tracks = element('1654ae6b', element('ae', Buffer.concat(track)))
  const cluster = element('1f43b675', Buffer.concat(blocks))
  return Buffer.concat([
    element('1a45dfa3', element('4282', Buffer.from('webm'))),
    element('18538067', Buffer.concat([tracks, cluster])),
  ])
}

/**
 * FLAC whose frames of 26 bytes contain 65,534 samples of silence in each of 8 channels.
 * @param hasGaps whether all frames state the same position.
 */
export function silentFlac(frames: number, hasGaps = false): Buffer {
  const info = Buffer.alloc(42)
  info.write('fLaC')
  info.writeUInt32BE(0x80000022, 4)
  info.writeUInt16BE(65_534, 8)
  info.writeUInt16BE(65_534, 10)
  // 20 bits of the rate, 3 of the channels - 1, 5 of the bits per sample - 1.
  info.writeUInt32BE(((48_000 << 12) | (7 << 9) | (7 << 4)) >>> 0, 18)
  return Buffer.concat([
    info,
    ...Array.from({ length: frames }, (_, index) => flacFrame(hasGaps ? 0 : index)),
  ])
}

function flacFrame(index: number): Buffer {
  // A fixed block size, which follows in 16 bits; 48 kHz; 8 channels of 8 bits.
  const head = Buffer.from([0xff, 0xf8, 0x7a, 0x72, ...utf8Number(index), 0xff, 0xfd])
  const withCheck = Buffer.concat([head, Buffer.from([crc(head, 8, 0x07)])])
  // A constant subframe: its type, and the value of all its samples.
  const frame = Buffer.concat([withCheck, Buffer.alloc(16)])
  const check = Buffer.alloc(2)
  check.writeUInt16BE(crc(frame, 16, 0x8005))
  return Buffer.concat([frame, check])
}

function utf8Number(value: number): number[] {
  return [...Buffer.from(String.fromCodePoint(value))]
}

function crc(bytes: Uint8Array, bits: number, polynomial: number): number {
  const top = 1 << (bits - 1)
  let sum = 0
  for (const byte of bytes) {
    sum ^= byte << (bits - 8)
    for (let bit = 0; bit < 8; bit++) {
      sum = ((sum << 1) ^ (sum & top ? polynomial : 0)) & (2 * top - 1)
    }
  }
  return sum
}

function opusHead(channels: number): Buffer {
  const head = Buffer.alloc(19 + (channels > 2 ? 2 + channels : 0))
  head.write('OpusHead')
  head[8] = 1
  head[9] = channels
  head.writeUInt32LE(48_000, 12)
  if (channels <= 2) return head
  // Each channel plays the only stream.
  head[18] = 255
  head[19] = 1
  return head
}

/** 48 frames of 2.5 ms without a byte. */
const opusPacket = Buffer.from([0xe3, 48])

function oggPage(sequence: number, flags: number, packets: readonly Buffer[], granule = 0): Buffer {
  const page = Buffer.concat([
    Buffer.alloc(27),
    Buffer.from(
      packets.flatMap(({ length }) => [...Array(Math.floor(length / 255)).fill(255), length % 255]),
    ),
    ...packets,
  ])
  page.write('OggS')
  page[5] = flags
  page.writeBigInt64LE(BigInt(granule), 6)
  page.writeUInt32LE(1, 14)
  page.writeUInt32LE(sequence, 18)
  page[26] = packets.reduce((sum, { length }) => sum + Math.floor(length / 255) + 1, 0)
  page.writeUInt32LE(oggChecksum(page), 22)
  return page
}

/** An element of EBML. @param id in hexadecimal. */
function element(id: string, content: Uint8Array): Buffer {
  const size = Buffer.alloc(4)
  size.writeUInt32BE(0x10000000 | content.length)
  return Buffer.concat([Buffer.from(id, 'hex'), size, content])
}
