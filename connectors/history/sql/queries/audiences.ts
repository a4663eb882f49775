import type { Query } from '../../port.ts'

export type AudienceRow = { audience: string; groups: string[] }

/** Audiences that meet these groups: what a caller in them may read (decisions 2.4). */
export const readableAudiences = (groups: readonly string[], limit: number): Query => ({
  sql: `SELECT DISTINCT audience, groups FROM audiences WHERE hasAny(groups, {groups:Array(String)})
    ORDER BY audience LIMIT {limit:UInt32}`,
  params: { groups, limit },
})

/** The groups of these audiences. For jobs only: it applies no permission checks. */
export const groupsOfAudiences = (ids: readonly bigint[]): Query => ({
  sql: 'SELECT DISTINCT audience, groups FROM audiences WHERE audience IN ({ids:Array(UInt64)})',
  params: { ids },
})
