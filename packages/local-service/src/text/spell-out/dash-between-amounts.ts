import { canBeNegative, isSameKind } from './unit-kinds.ts'

/** A number before or after a dash, and what is counted. */
export interface Measure {
  value: number
  /** The symbol of a unit or a currency, another noun, or `clock` for a time of the day; empty for a plain number. */
  unit: string
  /** Whether the unit is no other noun. */
  isMeasured: boolean
}

/** A range may still be a subtraction: "8 - 3". */
export type DashReading = 'range' | 'minus' | 'pause'

/**
 * How a dash between spaces is read.
 * @param from absent if no number is before the dash.
 * @param isLabelled whether the number before the dash is a name: "Room 4".
 */
export function readDash(from: Measure | undefined, to: Measure, isLabelled: boolean): DashReading {
  if (from && isRange(from, to, isLabelled)) return 'range'
  return canBeNegative(to.value, to.unit) ? 'minus' : 'pause'
}

/** Whether two amounts can be the ends of a range, unlike "45 % - 5 °C" and "Room 4 - 5 °C". */
function isRange(from: Measure, to: Measure, isLabelled: boolean): boolean {
  if (from.unit === '') return !(isLabelled && to.isMeasured)
  if (to.unit === '') return isHour(from)
  return (isHour(from) && isHour(to)) || isSameKind(from.unit, to.unit)
}

/** "22 h", "22:00" */
export const isHour = ({ unit }: Measure) => unit === 'clock' || unit === 'h'
