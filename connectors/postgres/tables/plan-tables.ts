/** The tables of limits, quotas and payments. */
export type PlanTables = {
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
  quota_usage: { customer_id: string; service: string; feature: string; used: number }
  payment_accounts: {
    customer_id: string
    /** Id of the customer at the provider. */
    provider_customer: string
    /** Id of the running subscription at the provider. */
    subscription: string | null
    /** The subscription that ended last: late events about it change nothing. */
    ended_subscription: string | null
    /** Time of the provider's newest event that was applied. */
    told_at: Date
  }
  /** Ids of the provider's events that have been applied. */
  payment_events: { id: string; received_at: Date }
}
