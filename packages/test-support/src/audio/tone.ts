/** A sine tone as 16-bit mono PCM. @param options.amplitude 1 is full scale; default: -10 dB. */
export function tone(options: {
  seconds: number
  hertz: number
  sampleRateHertz: number
  amplitude?: number
}): Buffer {
  const { seconds, hertz, sampleRateHertz, amplitude = 10 ** -0.5 } = options
  const pcm = Buffer.alloc(2 * Math.round(seconds * sampleRateHertz))
  for (let index = 0; 2 * index < pcm.length; index++) {
    const angle = (2 * Math.PI * hertz * index) / sampleRateHertz
    pcm.writeInt16LE(Math.round(amplitude * 0x7fff * Math.sin(angle)), 2 * index)
  }
  return pcm
}
