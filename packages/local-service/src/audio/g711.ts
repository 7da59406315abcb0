/** ITU-T G.711: one byte for each sample. */

const muLawBias = 132
const loudestMuLaw = 32_635

/**
 * Sign, segment (the power of two) and four bits of position within the segment, all bits inverted. Negative samples
 * count from −1, as in the reference program of ITU-T G.191.
 */
export function muLawByte(sample: number): number {
  const sign = sample < 0 ? 0x80 : 0
  const magnitude = Math.min(sample < 0 ? ~sample : sample, loudestMuLaw) + muLawBias
  const segment = 24 - Math.clz32(magnitude)
  const position = (magnitude >> (segment + 3)) & 0x0f
  return ~(sign | (segment << 4) | position) & 0xff
}

/** Like µ-law, but for 13 bits, linear in the first two segments and with every second bit inverted. */
export function aLawByte(sample: number): number {
  const sign = sample < 0 ? 0 : 0x80
  const magnitude = (sample < 0 ? ~sample : sample) >> 3
  const segment = Math.max(0, 27 - Math.clz32(magnitude))
  const position = (magnitude >> Math.max(1, segment)) & 0x0f
  return (sign | (segment << 4) | position) ^ 0x55
}

/** @returns the sample of a byte, with 16 bits. */
export function muLawSample(byte: number): number {
  const bits = ~byte & 0xff
  const segment = (bits >> 4) & 7
  const magnitude = ((((bits & 0x0f) << 3) + muLawBias) << segment) - muLawBias
  return bits & 0x80 ? -magnitude : magnitude
}

/** @returns the sample of a byte, with 16 bits. */
export function aLawSample(byte: number): number {
  const bits = byte ^ 0x55
  const segment = (bits >> 4) & 7
  const position = ((bits & 0x0f) << 4) + 8
  const magnitude = segment === 0 ? position : (position + 0x100) << (segment - 1)
  return bits & 0x80 ? magnitude : -magnitude
}
