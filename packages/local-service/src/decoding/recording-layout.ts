const maxChannels = 8
const extensibleTag = 0xfffe
// ADPCM by Microsoft and IMA: four bits per sample; the header contains the number of samples per block.
const adpcmTags = [2, 0x11]

/** Rejects an implausible number of channels. @returns a text that continues "the sample ...". */
export function findChannelsProblem(channels: number): string | undefined {
  if (channels > 0 && channels <= maxChannels) return undefined
  return `has ${channels} channels; record it with one, or with up to ${maxChannels}`
}

/**
 * Finds implausible values in the header of a WAV file. The decoder trusts the header and would turn a kilobyte into
 * gigabytes. Chunks are read as the decoder reads them: without the padding byte after chunks of odd length.
 * @returns a text that continues "the sample ...".
 */
export function findWavProblem(file: Uint8Array): string | undefined {
  const view = Buffer.from(file.buffer, file.byteOffset, file.byteLength)
  for (let start = 12; start + 8 <= view.length; start += 8 + view.readUInt32LE(start + 4)) {
    const id = view.toString('latin1', start, start + 4)
    if (id === 'data') return undefined
    const problem = id === 'fmt ' && findFormatProblem(view.subarray(start + 8))
    if (problem) return problem
  }
  return undefined
}

function findFormatProblem(format: Buffer): string | undefined {
  // A file that ends this early cannot contain sound.
  if (format.length < 26) return undefined
  const statedTag = format.readUInt16LE(0)
  const tag = statedTag === extensibleTag ? format.readUInt16LE(24) : statedTag
  const channels = format.readUInt16LE(2)
  const blockBytes = format.readUInt16LE(12)
  const isAdpcm = adpcmTags.includes(tag)
  const bitsPerSample = isAdpcm ? 4 : format.readUInt16LE(14)
  const samplesPerBlock = isAdpcm ? format.readUInt16LE(18) : 1
  const fits = channels * samplesPerBlock * bitsPerSample <= blockBytes * 8
  const contradiction = 'has a header that contradicts its sound; save it again as a 16-bit WAV'
  return findChannelsProblem(channels) ?? (fits ? undefined : contradiction)
}
