/** The table of the store of quotas. */
export type QuotaTables = {
  quota_usage: { customer_id: string; service: string; feature: string; used: number }
}
