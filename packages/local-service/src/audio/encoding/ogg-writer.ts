import { oggChecksum } from '@parlando/core/audio'

/** A packet of a codec, and the end position of its audio, in the codec's own unit. */
export interface OggPacket {
  bytes: Uint8Array
  granulePosition: number
}

/** Writes the pages of one stream in an Ogg file (RFC 3533). */
export interface OggPages {
  /**
   * @param packets each of at most 60,000 bytes.
   * @param isLast whether the file ends with these packets.
   * @returns pages that contain the packets. A packet never continues on the next page.
   */
  write(packets: readonly OggPacket[], isLast?: boolean): Uint8Array
}

const headerBytes = 27
const longestSegment = 255
const maxSegments = 255
const beginFlag = 2
const endFlag = 4

/** @param serial identifies the stream within its file. */
export function createOggPages(serial: number): OggPages {
  let sequence = 0

  const toPage = (packets: readonly OggPacket[], isLast: boolean): Uint8Array => {
    const lengths = packets.flatMap(({ bytes }) => segmentLengths(bytes))
    const header = Buffer.alloc(headerBytes + lengths.length)
    header.write('OggS', 0, 'latin1')
    header.writeUInt8((sequence === 0 ? beginFlag : 0) | (isLast ? endFlag : 0), 5)
    header.writeBigUInt64LE(BigInt(packets.at(-1)?.granulePosition ?? 0), 6)
    header.writeUInt32LE(serial, 14)
    header.writeUInt32LE(sequence++, 18)
    header.writeUInt8(lengths.length, 26)
    header.set(lengths, headerBytes)
    const page = Buffer.concat([header, ...packets.map(({ bytes }) => bytes)])
    page.writeUInt32LE(oggChecksum(page), 22)
    return page
  }

  return {
    write(packets, isLast = false) {
      const groups = groupForPages(packets)
      const last = groups.length - 1
      return Buffer.concat(groups.map((group, index) => toPage(group, isLast && index === last)))
    },
  }
}

/** A packet consists of full segments and a shorter one, possibly empty, which marks its end. */
function segmentLengths({ length }: Uint8Array): number[] {
  const full = Math.floor(length / longestSegment)
  return [...Array<number>(full).fill(longestSegment), length % longestSegment]
}

function groupForPages(packets: readonly OggPacket[]): OggPacket[][] {
  const groups: OggPacket[][] = []
  let segments = maxSegments
  for (const packet of packets) {
    const count = segmentLengths(packet.bytes).length
    if (segments + count > maxSegments) {
      groups.push([])
      segments = 0
    }
    groups.at(-1)?.push(packet)
    segments += count
  }
  return groups
}
