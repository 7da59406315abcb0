const headerBytes = 44

/** A WAV file, mono, 16 bits. The function of the core makes a Buffer, which browsers do not have. */
export function wavFile(samples: Int16Array, sampleRateHertz: number): Uint8Array<ArrayBuffer> {
  const dataBytes = samples.length * 2
  const view = new DataView(new ArrayBuffer(headerBytes + dataBytes))
  const write = (at: number, letters: string) => {
    for (const [index, letter] of [...letters].entries()) {
      view.setUint8(at + index, letter.charCodeAt(0))
    }
  }
  write(0, 'RIFF')
  view.setUint32(4, headerBytes - 8 + dataBytes, true)
  write(8, 'WAVEfmt ')
  view.setUint32(16, 16, true)
  view.setUint16(20, 1, true)
  view.setUint16(22, 1, true)
  view.setUint32(24, sampleRateHertz, true)
  view.setUint32(28, sampleRateHertz * 2, true)
  view.setUint16(32, 2, true)
  view.setUint16(34, 16, true)
  write(36, 'data')
  view.setUint32(40, dataBytes, true)
  for (const [index, sample] of samples.entries()) {
    view.setInt16(headerBytes + 2 * index, sample, true)
  }
  return new Uint8Array(view.buffer)
}
