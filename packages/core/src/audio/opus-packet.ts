/** @returns the duration of an Opus packet in samples of 48 kHz. Source: RFC 6716, 3.1 and 3.2. */
export function packetGranules(packet: Uint8Array): number {
  const [contents, frameCount = 0] = packet
  if (contents === undefined) return 0
  const code = contents & 3
  const frames = code === 0 ? 1 : code < 3 ? 2 : frameCount & 63
  return frames * frameGranules(contents >>> 3)
}

function frameGranules(config: number): number {
  if (config < 12) return [480, 960, 1920, 2880][config & 3]!
  if (config < 16) return [480, 960][config & 1]!
  return [120, 240, 480, 960][config & 3]!
}
