/**
 * Makes a function that takes audio in pieces of any size and returns only whole samples: the bytes of a sample that is
 * split between two pieces come with the second one. Also works in a browser.
 * @param sampleBytes bytes of one sample of all channels. Default: 2, mono 16-bit PCM.
 */
export function wholeSamples(sampleBytes = 2): (piece: Uint8Array) => Uint8Array {
  let rest = new Uint8Array()
  return (piece) => {
    const bytes = rest.length > 0 ? joined(rest, piece) : piece
    const wholeBytes = bytes.length - (bytes.length % sampleBytes)
    // Copied: the caller may reuse its bytes.
    rest = new Uint8Array(bytes.subarray(wholeBytes))
    return bytes.subarray(0, wholeBytes)
  }
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(first.length + second.length)
  bytes.set(first)
  bytes.set(second, first.length)
  return bytes
}
