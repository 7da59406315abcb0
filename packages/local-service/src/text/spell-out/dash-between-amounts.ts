import { canBeNegative, isSameKind } from './unit-kinds.ts'

/** A number before or after a dash, and what is counted. */
export interface Measure {
  value: number
  /**
   * The symbol of a unit or a currency, another noun, `clock` for a time of the day, `ordinal` for "2nd"; empty for a plain
   * number.
   */
  unit: string
  /** Whether the unit is no other noun. */
  isMeasured: boolean
}

/** A range may still be a subtraction: "8 - 3". */
export type DashReading = 'range' | 'minus' | 'pause'

/**
 * How a dash between spaces is read.
 * @param from absent if no number is before the dash.
 * @param isName whether the number before the dash is the name of something: "Room 4".
 */
export function readDash(from: Measure | undefined, to: Measure, isName: boolean): DashReading {
  if (isName && to.unit === 'ordinal') return 'pause'
  if (isName && to.isMeasured && !(from && isNear(from.value, to.value))) return 'pause'
  if (from && isRange(from, to)) return 'range'
  return canBeNegative(to.value, to.unit) ? 'minus' : 'pause'
}

/** Whether two amounts can be the ends of a range, unlike "45 % - 5 °C". */
function isRange(from: Measure, to: Measure): boolean {
  if (from.unit === '') return to.unit !== 'ordinal' || from.value < to.value
  if (from.unit === 'ordinal' && to.unit === '') return from.value < to.value
  if (to.unit === '') return isHour(from)
  return (isHour(from) && isHour(to)) || isSameKind(from.unit, to.unit)
}

/** "Living room 20 - 22 °C", "Bus 10 - 15 min": no name is so near the amount behind it. */
function isNear(from: number, to: number): boolean {
  return from >= 10 && from < to && to - from <= 5
}

/** Whether a number after a word such as "room" can be its name: "4" and "4B", but not "20 °C". */
export function canBeName(written: string, { unit }: Measure): boolean {
  return unit === '' || /^\d{1,4}[A-Ka-f]$/.test(written)
}

/** "22 h", "22:00" */
export const isHour = ({ unit }: Measure) => unit === 'clock' || unit === 'h'
