import { array, dateTime, dateTime64, int8, string, table, uint8, uint32, uint64, uuid } from '../native/native.ts'
import type { MatchState, StoredMatch, Tally } from './port.ts'

/** Matches and what is known of them are kept so long after they were told, in milliseconds. */
const MATCHES_KEPT_MS = 91 * 86_400_000

/** The columns that are written row by row, table by table, as the migrations declare them. */
export const matchBlocks = () => ({
  match_tallies: table({
    owner: string,
    entity_id: string,
    row: uint64,
    n: uint32,
    batch: uint64,
    decided: dateTime64,
    expires: dateTime,
  }),
  matches: table({
    owner: string,
    entity_id: string,
    id: uuid,
    version: uint64,
    direction: string,
    summary: uint8,
    groups: array(string),
    at: dateTime64,
    matched_at: dateTime64,
    event_id: string,
    event_at: dateTime64,
    last_at: dateTime64,
    count: uint64,
    kind: string,
    host: string,
    user: string,
    field: string,
    value: string,
    refs: array(string),
    type: string,
    entity_value: string,
    reputation: int8,
    accuracy: uint8,
    tags: array(string),
    expires: dateTime,
  }),
  matches_by_time: table({
    owner: string,
    matched_at: dateTime64,
    id: uuid,
    entity_id: string,
    direction: string,
    groups: array(string),
    expires: dateTime,
  }),
  match_states: table({
    owner: string,
    entity_id: string,
    version: uint64,
    withdrawn_at: dateTime64,
    reason: string,
    expires: dateTime,
  }),
})

export const rowOfTally = ({ owner, entityId, row, n, expires }: Tally, batch: bigint, decided: number) => ({
  owner,
  entity_id: entityId,
  row,
  n,
  batch,
  decided,
  expires,
})

export const rowOfMatch = ({ owner, groups, version, match }: StoredMatch) => {
  const { id, direction, summary, at, matchedAt, event, entity } = match
  return {
    owner,
    entity_id: entity.id,
    id,
    version,
    direction,
    summary: summary ? 1 : 0,
    groups,
    at,
    matched_at: matchedAt,
    event_id: event.id ?? '',
    event_at: event.at,
    last_at: event.lastAt ?? 0,
    count: event.count,
    kind: event.kind ?? '',
    host: event.host ?? '',
    user: event.user ?? '',
    field: event.field,
    value: event.value,
    refs: event.refs,
    type: entity.type,
    entity_value: entity.value,
    reputation: entity.reputation,
    accuracy: entity.accuracy,
    tags: entity.tags,
    expires: matchedAt + MATCHES_KEPT_MS,
  }
}

export const rowInTime = ({ owner, groups, match: { id, direction, matchedAt, entity } }: StoredMatch) => ({
  owner,
  matched_at: matchedAt,
  id,
  entity_id: entity.id,
  direction,
  groups,
  expires: matchedAt + MATCHES_KEPT_MS,
})

export const rowOfState = ({ owner, entityId, version, withdrawnAt, reason }: MatchState, now: number) => ({
  owner,
  entity_id: entityId,
  version,
  withdrawn_at: withdrawnAt ?? 0,
  reason,
  expires: now + 2 * MATCHES_KEPT_MS,
})
