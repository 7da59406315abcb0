/** A part of a sound: from `start` to before `end`. */
export interface ByteRange {
  start: number
  end: number
}

/** A player that asks for more parts does not play them. */
const maxRanges = 100

/** The bytes of a sound that players have received, in any order. */
export class SentBytes {
  #ranges: readonly ByteRange[] = []

  add(range: ByteRange): void {
    const joins = ({ start, end }: ByteRange) => start <= range.end && end >= range.start
    const joined = [range, ...this.#ranges.filter(joins)]
    const apart = this.#ranges.filter((one) => !joins(one)).slice(1 - maxRanges)
    const start = Math.min(...joined.map((one) => one.start))
    const end = Math.max(...joined.map((one) => one.end))
    this.#ranges = [...apart, { start, end }]
  }

  /** Whether these are all bytes of a sound of this size. */
  areAll(size: number): boolean {
    return this.#ranges.some(({ start, end }) => start === 0 && end >= size)
  }
}
