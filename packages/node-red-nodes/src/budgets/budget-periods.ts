import type { BudgetPeriod } from '../runtime/service-report.ts'

export const budgetPeriods = ['day', 'month'] as const

/** How long Redis keeps the counts of a period: a little longer than the period. */
export const expiresInSeconds = { day: 2 * 86_400, month: 33 * 86_400 }

/** The name of the day or the month, in the time zone of this machine. */
export function periodName(period: BudgetPeriod): string {
  const now = new Date()
  const parts = [
    now.getFullYear(),
    now.getMonth() + 1,
    ...(period === 'day' ? [now.getDate()] : []),
  ]
  return parts.map((part) => String(part).padStart(2, '0')).join('-')
}
