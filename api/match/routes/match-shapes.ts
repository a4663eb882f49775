/** Matches and rows of the ledger as callers see them (decisions 14.3, 14.4). */

import { Type } from 'typebox'
import type { LedgerRow, SeenTotal, ShownMatch } from '../../../connectors/history/match/port.ts'
import type { MatchedEvent } from '../../../schemas/match/match.ts'
import { uuid } from '../../http/fields/common.ts'

const moment = (description?: string) =>
  Type.String({ format: 'date-time', ...(description === undefined ? {} : { description }) })
const count = Type.Integer({ minimum: 1 })

const Entity = Type.Object({
  id: Type.String(),
  type: Type.String(),
  value: Type.String(),
  reputation: Type.Integer(),
  accuracy: Type.Integer(),
  tags: Type.Array(Type.String()),
})

const Event = Type.Object({
  id: Type.Optional(Type.String({ description: 'absent if the match is for several events' })),
  at: moment('of the first event'),
  lastAt: Type.Optional(moment('of the last one of several')),
  count: Type.Optional(count),
  kind: Type.Union([Type.String(), Type.Null()]),
  host: Type.Optional(Type.String()),
  user: Type.Optional(Type.String()),
  field: Type.String(),
  value: Type.String({ description: 'in normal form' }),
  refs: Type.Array(Type.String(), { description: 'where the sensor has the events' }),
})

const told = {
  id: uuid,
  direction: Type.Enum(['forward', 'retro']),
  at: moment('of the event, the last one of several'),
  matchedAt: moment(),
  entity: Entity,
  withdrawnAt: Type.Optional(moment('absent while the match holds')),
  withdrawnReason: Type.Optional(Type.String({ description: 'why the match was withdrawn' })),
}

const One = Type.Object({ ...told, event: Event })
const Summary = Type.Object(
  {
    ...told,
    summary: Type.Literal(true),
    field: Type.String(),
    count,
    first: moment(),
    last: moment(),
  },
  { description: 'summary of many matches of one entity and field within one second' },
)

export const Matches = Type.Object({
  items: Type.Array(Type.Union([One, Summary])),
  cursor: Type.Union([Type.String(), Type.Null()], {
    description: 'value of `cursor` for the next page; null on the last page',
  }),
  more: Type.Boolean(),
})

const nullableMoment = Type.Union([moment(), Type.Null()])

export const Seen = Type.Object({
  value: Type.String(),
  count: Type.Integer({ minimum: 0, description: 'events in all rows' }),
  first: nullableMoment,
  last: nullableMoment,
  rows: Type.Integer({ minimum: 0, description: 'all rows, also those that are not listed' }),
  items: Type.Array(
    Type.Object({
      value: Type.String(),
      field: Type.String(),
      hour: moment(),
      count,
      first: moment(),
      last: moment(),
      hosts: Type.Array(Type.String()),
      refs: Type.Array(Type.String()),
    }),
  ),
})

const iso = (ms: number): string => new Date(ms).toISOString()

/** Members that a match does not have are left out. */
export function showMatch(match: ShownMatch) {
  const { id, direction, summary, at, matchedAt, event, entity, withdrawnAt, withdrawnReason } = match
  const common = {
    id,
    direction,
    at: iso(at),
    matchedAt: iso(matchedAt),
    entity: { ...entity, tags: [...entity.tags] },
    ...(withdrawnAt === null ? {} : { withdrawnAt: iso(withdrawnAt) }),
    ...(withdrawnAt === null || withdrawnReason === null ? {} : { withdrawnReason }),
  }
  if (!summary) return { ...common, event: showEvent(event) }
  const { field, count: events, at: first, lastAt } = event
  return { ...common, summary: true as const, field, count: events, first: iso(first), last: iso(lastAt ?? first) }
}

function showEvent({ id, at, lastAt, count: events, kind, host, user, field, value, refs }: MatchedEvent) {
  return {
    ...(id === null ? {} : { id }),
    at: iso(at),
    ...(lastAt === null ? {} : { lastAt: iso(lastAt) }),
    ...(lastAt === null && events === 1 ? {} : { count: events }),
    kind,
    ...(host === null ? {} : { host }),
    ...(user === null ? {} : { user }),
    field,
    value,
    refs: [...refs],
  }
}

/** A value that was never seen has no times and no rows. */
export const showSeen = (value: string, { total, rows }: { total: SeenTotal | null; rows: readonly LedgerRow[] }) => ({
  value,
  count: total?.count ?? 0,
  first: total && iso(total.first),
  last: total && iso(total.last),
  rows: total?.rows ?? 0,
  items: rows.map((row) => ({
    value: row.value,
    field: row.field,
    hour: iso(row.hour),
    count: row.count,
    first: iso(row.first),
    last: iso(row.last),
    hosts: [...row.hosts],
    refs: [...row.refs],
  })),
})
