const polynomial = 0x04c11db7
let table: Uint32Array | undefined

/** The checksum of an Ogg page: CRC-32, most significant bit first, without inversion. Source: RFC 3533, 6. */
export function oggChecksum(page: Uint8Array): number {
  // Created on first use, so that a program without Ogg does not pay for it.
  table ??= Uint32Array.from({ length: 256 }, (_, byte) => {
    let remainder = byte << 24
    for (let bit = 0; bit < 8; bit++) {
      remainder = remainder & 0x80000000 ? (remainder << 1) ^ polynomial : remainder << 1
    }
    return remainder
  })
  let sum = 0
  for (const byte of page) sum = (sum << 8) ^ table[(sum >>> 24) ^ byte]!
  return sum >>> 0
}
