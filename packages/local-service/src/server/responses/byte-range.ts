/** A part of a file. */
export interface FilePart {
  start: number
  /** The first byte that is not part of it. */
  end: number
}

/**
 * Reads the header `Range` (RFC 9110, section 14.2).
 * @param length of the file, in bytes.
 * @returns nothing if the whole file is wanted, also if the header is malformed, or asks for several ranges; `unsatisfiable` if the file has no such bytes.
 */
export function readByteRange(
  header: string | undefined,
  length: number,
): FilePart | 'unsatisfiable' | undefined {
  const [match, first = '', last = ''] =
    /^bytes=(\d{0,15})-(\d{0,15})$/i.exec(header?.trim() ?? '') ?? []
  if (!match || (first === '' && last === '')) return undefined
  if (first === '') {
    const start = Math.max(0, length - Number(last))
    return start < length ? { start, end: length } : 'unsatisfiable'
  }
  const start = Number(first)
  const end = last === '' ? length : Math.min(length, Number(last) + 1)
  if (last !== '' && Number(last) < start) return undefined
  return start < length ? { start, end } : 'unsatisfiable'
}

/** The range as the header `Content-Range` has it. */
export function toContentRange({ start, end }: FilePart, length: number): string {
  return `bytes ${start}-${end - 1}/${length}`
}
