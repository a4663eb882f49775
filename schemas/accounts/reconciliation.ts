/** What a reconciliation looks for, and what it says afterwards (decisions 8.1). */

export const RECONCILED = [
  /** Instances of a deleted user or customer. */
  'orphan_instances',
  /** Rows of casework of a deleted user or customer, counted by analyst and customer. */
  'orphan_casework',
  /** Memberships of users that are gone. */
  'orphan_memberships',
  /** Customers without an owner. */
  'ownerless_customers',
  /** Counts of quotas that are not what there is. */
  'quota_drift',
  /** Events that wait longer than they should: reported, the relay alone brings them on. */
  'stuck_outbox',
] as const

export type ReconciledKind = (typeof RECONCILED)[number]

/** `repaired` stays 0 in a dry run. */
export type ReconciledCount = { found: number; repaired: number }

export type ReconciliationReport = Record<ReconciledKind, ReconciledCount>
