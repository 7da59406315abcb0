import { gunzipSync } from 'node:zlib'

/** Keys and values as they are in a file, so that a hundred thousand of them need no objects. */
export interface TextTable {
  /** @returns the value, or `undefined` if there is no such key. */
  get(key: string): string | undefined
}

const newline = 0x0a

/** @param file compressed lines of a key, a tab and a value, in the order of their bytes. */
export function readTextTable(file: Uint8Array): TextTable {
  const lines = gunzipSync(file)
  return {
    get(key) {
      const wanted = Buffer.from(`${key}\t`)
      let low = 0
      let high = lines.length
      while (low < high) {
        const middle = (low + high) >> 1
        const start = lines.lastIndexOf(newline, middle - 1) + 1
        const end = lines.indexOf(newline, middle)
        const order = lines.compare(
          wanted,
          0,
          wanted.length,
          start,
          Math.min(end, start + wanted.length),
        )
        if (order === 0) return lines.toString('utf8', start + wanted.length, end)
        if (order < 0) low = end + 1
        else high = start
      }
      return undefined
    },
  }
}
