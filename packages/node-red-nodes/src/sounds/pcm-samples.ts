const fullScale = 32_768

/** The whole samples of signed 16-bit PCM, little-endian, as numbers from -1 to 1. */
export function samplesOf(pcm: Uint8Array): Float32Array {
  const view = new DataView(pcm.buffer, pcm.byteOffset, pcm.byteLength)
  const samples = new Float32Array(pcm.byteLength >> 1)
  for (let at = 0; at < samples.length; at++) samples[at] = view.getInt16(2 * at, true) / fullScale
  return samples
}

/** The reverse of `samplesOf`. Samples beyond full scale are clipped. */
export function pcmOf(samples: Float32Array): Buffer {
  const pcm = Buffer.alloc(2 * samples.length)
  for (const [at, sample] of samples.entries()) {
    const rounded = Math.round(sample * fullScale)
    pcm.writeInt16LE(Math.max(-fullScale, Math.min(fullScale - 1, rounded)), 2 * at)
  }
  return pcm
}
