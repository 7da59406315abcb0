const maxChannels = 8
const extensibleTag = 0xfffe
// Of Microsoft and of IMA: four bits a sample, and blocks that say themselves how many they hold.
const adpcmTags = [2, 0x11]

/** Finds more channels than a recording has, or none. @returns a text that continues "the sample ...". */
export function findChannelsProblem(channels: number): string | undefined {
  if (channels > 0 && channels <= maxChannels) return undefined
  return `has ${channels} channels; record it with one, or with up to ${maxChannels}`
}

/**
 * Finds what no recording has in the header of a WAV. The decoder believes it, and makes gigabytes of a kilobyte. Chunks
 * are walked as it does that, without the byte that pads those of odd length.
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
  // Behind such a short one there is no room for sound.
  if (format.length < 26) return undefined
  const statedTag = format.readUInt16LE(0)
  const tag = statedTag === extensibleTag ? format.readUInt16LE(24) : statedTag
  const channels = format.readUInt16LE(2)
  const blockBytes = format.readUInt16LE(12)
  const isAdpcm = adpcmTags.includes(tag)
  const bitsPerSample = isAdpcm ? 4 : format.readUInt16LE(14)
  const samplesPerBlock = isAdpcm ? format.readUInt16LE(18) : 1
  const holdsThem = channels * samplesPerBlock * bitsPerSample <= blockBytes * 8
  const lie = 'has a header that does not go with its sound; save it again as a WAV of 16 bits'
  return findChannelsProblem(channels) ?? (holdsThem ? undefined : lie)
}
