import type { Query } from '../../port.ts'

/** A verdict as it was given or taken back: times as unix milliseconds. */
export type VerdictRow = {
  id: string
  audience: string
  user_id: string
  /** null: it was taken back. */
  reputation: number | null
  attributes: Record<string, string>
  at: string
}

type VerdictQuestion = { entityId: string; type: string; until: number; audiences: readonly bigint[] }

/** Verdicts about an entity up to a time, the last first (decisions 17.1). */
export const verdictsUntil = ({ entityId, type, until, audiences }: VerdictQuestion, limit: number): Query => ({
  sql: `SELECT toString(id) AS id, audience, user_id, if(stated = 1, reputation, NULL) AS reputation, attributes,
      toUnixTimestamp64Milli(ts) AS at
    FROM history
    WHERE digest = unhex({digest:String}) AND type = {entityType:String} AND kind = 'verdict'
      AND ts <= fromUnixTimestamp64Milli({until:Int64}) AND audience IN {audiences:Array(UInt64)}
    ORDER BY ts DESC, log_offset DESC LIMIT {limit:UInt32}`,
  params: { digest: entityId.slice(-64), entityType: type, until, audiences, limit },
})
