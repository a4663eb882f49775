import { dayField } from '../../parts/time/day.ts'

export const PERIODS = ['7', '30', '90', 'all'] as const
export type Period = (typeof PERIODS)[number]

const DAY_MS = 86_400_000

/** The first UTC day (`YYYY-MM-DD`) of a period that ends with the day of `now` (unix milliseconds); null: no bound. */
export const firstDay = (period: Period, now: number): string | null =>
  period === 'all' ? null : dayField(now - (Number(period) - 1) * DAY_MS)
