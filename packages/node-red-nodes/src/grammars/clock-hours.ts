/** An hour of the 24-hour clock on one of 12 hours. */
export const twelveHour = (hour: number): number => hour % 12 || 12

export const nextHour = (hour: number): number => (hour + 1) % 24
