/** The table of the store of limits. */
export type LimitTables = {
  limit_windows: {
    subject: string
    service: string
    feature: string
    period: string
    starts_at: Date
    ends_at: Date
    /** Units given out to all processes. */
    granted: number
    /** Of them by the last statement. */
    lent: number
  }
}
