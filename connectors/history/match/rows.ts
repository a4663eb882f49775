import type { Match, MatchDirection } from '../../../schemas/match/match.ts'
import type { LedgerAnswer } from '../sql/match/ledger.ts'
import type { MatchRow } from '../sql/match/matches-sql.ts'
import type { PlacedLedgerRow } from './port.ts'

const textOf = (text: string): string | null => (text === '' ? null : text)

const directionOf = (text: string): MatchDirection => (text === 'retro' ? 'retro' : 'forward')

export const matchOfRow = (row: MatchRow): Match & { groups: readonly string[] } => ({
  id: row.uuid,
  direction: directionOf(row.direction),
  summary: row.summary === 1,
  at: Number(row.at_ms),
  matchedAt: Number(row.matched),
  groups: row.groups,
  event: {
    id: textOf(row.event_id),
    at: Number(row.event_ms),
    lastAt: Number(row.last_ms) || null,
    count: Number(row.count),
    kind: textOf(row.kind),
    host: textOf(row.host),
    user: textOf(row.user),
    field: row.field,
    value: row.value,
    refs: row.refs,
  },
  entity: {
    id: row.entity_id,
    type: row.type,
    value: row.entity_value,
    reputation: row.reputation,
    accuracy: row.accuracy,
    tags: row.tags,
  },
})

export const ledgerOfRow = ({
  owner,
  anchor,
  key,
  value,
  field,
  at,
  n,
  since,
  until,
  where,
  of,
}: LedgerAnswer): PlacedLedgerRow => ({
  owner,
  anchor,
  key,
  value,
  field,
  hour: Number(at),
  count: Number(n),
  first: Number(since),
  last: Number(until),
  // The store has no order for them.
  hosts: where.toSorted(),
  refs: of.toSorted(),
})
