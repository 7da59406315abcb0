/** Samples up to this value, of 32,768, are silence: a voice that breathes is louder. */
const silentSample = 100
const bytesPerSample = 2

/**
 * Leaves out the silence before and behind the speech of PCM (signed, 16 bits, little-endian, mono), while it arrives.
 * @returns a function that takes the next bytes, which may end within a sample, and returns those that are known to be needed.
 */
export function trimSilence(): (chunk: Uint8Array) => Uint8Array {
  let held: Buffer = Buffer.alloc(0)
  let hasBegun = false
  return (chunk) => {
    const bytes = Buffer.concat([held, chunk])
    const end = audibleEnd(bytes)
    const start = hasBegun ? 0 : audibleStart(bytes, end)
    if (end > 0) hasBegun = true
    // Silence before the speech is not needed any more, but silence within it is.
    const isAllSilent = end === 0
    const rest = bytes.length % bytesPerSample
    held = bytes.subarray(!hasBegun && isAllSilent ? bytes.length - rest : end)
    return bytes.subarray(start, end)
  }
}

/** The position after the last audible sample; 0 if there is none. */
function audibleEnd(bytes: Buffer): number {
  let end = bytes.length - (bytes.length % bytesPerSample)
  while (end > 0 && Math.abs(bytes.readInt16LE(end - bytesPerSample)) < silentSample) {
    end -= bytesPerSample
  }
  return end
}

function audibleStart(bytes: Buffer, end: number): number {
  let start = 0
  while (start < end && Math.abs(bytes.readInt16LE(start)) < silentSample) start += bytesPerSample
  return start
}
