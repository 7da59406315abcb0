/** How a language says numbers and times: what is no list of words, but has rules. */
export interface Grammar {
  /** A whole number from 0 to 9,999 in words, in each usual form. */
  writeNumber(value: number): string[]
  /** A time of day as people say it, in each usual form. */
  sayTime(time: SpokenTime): string[]
}

/** A time as somebody says it. */
export interface SpokenTime {
  /** The hour of the 24-hour clock. A time of the morning can be said without the part of the day. */
  hour: number
  minute: number
  /** The number in words, or in digits where a language has no words for it. */
  say(value: number): string
}

/** An hour of the 24-hour clock on one of 12 hours. */
export const twelveHour = (hour: number): number => hour % 12 || 12

export const nextHour = (hour: number): number => (hour + 1) % 24
