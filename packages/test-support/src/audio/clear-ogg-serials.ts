/**
 * Sets the random serial number of every page of an Ogg file to 0, and the checksum, which depends on it. Returns a copy;
 * other files stay unchanged.
 */
export function clearOggSerials(file: Uint8Array): Buffer {
  const cleared = Buffer.from(file)
  if (cleared.indexOf('OggS') !== 0) return cleared
  for (let page = 0; page >= 0; page = cleared.indexOf('OggS', page + 1)) {
    cleared.fill(0, page + 14, page + 18)
    cleared.fill(0, page + 22, page + 26)
  }
  return cleared
}
