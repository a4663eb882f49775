/**
 * What the history store should hold, told by the log alone, and what it does hold: the same form for both, one line
 * of text for each row, so that a row too many shows as well as one too few.
 */

import { audienceId } from '../../../schemas/intelligence/observations/audience.ts'
import { keptAttributes } from '../../../schemas/intelligence/observations/verdict.ts'
import { countersOf, dayOf } from '../../../schemas/intelligence/state/counters.ts'
import type { EntityState } from '../../../schemas/intelligence/state/entity-state.ts'
import type { CountDelta, Edge, HistoryRecord, Retraction } from '../../../schemas/intelligence/state/stored.ts'

export const TABLES = ['audiences', 'history', 'associations', 'counts', 'retractions', 'entities'] as const
export type Table = (typeof TABLES)[number]
export type Stored = Record<Table, string[]>

/** What the tables are made of, however it was found. */
export type Contents = {
  audiences: Iterable<readonly [bigint, readonly string[]]>
  history: Iterable<HistoryRecord>
  edges: Iterable<Edge>
  deltas: Iterable<CountDelta>
  retractions: Iterable<Retraction>
  entities: Iterable<EntityState>
}

/** Sorted lines. Deltas and edges are added up as their tables add them up. */
export function linesOf(contents: Contents): Stored {
  return {
    audiences: [...new Map([...contents.audiences].map(([id, groups]) => [id, [...groups]]))]
      .map(([id, groups]) => line(id, groups))
      .sort(),
    history: Array.from(contents.history, historyLine).sort(),
    associations: associationLines(contents.edges),
    counts: countLines(contents.deltas),
    retractions: Array.from(contents.retractions, retractionLine).sort(),
    entities: Array.from(contents.entities, entityLine).sort(),
  }
}

/** Counters by a recount of the rows themselves. */
export function* recount(rows: Iterable<EntityState>): Generator<CountDelta> {
  for (const row of rows) {
    if (row.retracted) continue
    const found: CountDelta[] = []
    const common = { audience: row.audience, malicious: row.reputation < 0, n: 1 }
    countersOf(row, dayOf(row.lastSeen), (dim, key) => found.push({ ...common, dim, key }))
    yield* found
  }
}

export const line = (...parts: unknown[]): string =>
  JSON.stringify(parts, (_, part) => (typeof part === 'bigint' ? String(part) : part))

export const sorted = (record: object): [string, unknown][] =>
  Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1))

const historyLine = ({ observation: o, ...at }: HistoryRecord): string =>
  line(
    o.id,
    o.entityId,
    audienceId(o.audience),
    o.source,
    o.reputation ?? 0,
    at.accuracy,
    at.wellKnown,
    o.tags,
    sorted(keptAttributes(o)),
    o.observedAt,
    at.partition,
    at.offset,
  )

const retractionLine = (r: Retraction): string =>
  line(r.entityId, r.audience, r.source, r.from, r.to, r.at, r.offset, r.trust)

export const entityLine = (row: EntityState): string =>
  line(sorted({ ...row, attributes: sorted(row.attributes), attributeTimes: sorted(row.attributeTimes) }))

/** Both directions of every link with each relationship type, with its first and last time, and the version of the first record that states it. */
function associationLines(edges: Iterable<Edge>): string[] {
  const seen = new Map<string, { key: unknown[]; first: number; last: number; version: number }>()
  for (const { entityId, relatedId, mode, relationship, audience, seenAt, offset } of edges)
    for (const key of [
      [entityId, relatedId, mode, 1, audience, relationship ?? ''],
      [relatedId, entityId, mode, 0, audience, relationship ?? ''],
    ]) {
      const version = offset + 1
      const known = seen.get(line(key)) ?? { key, first: seenAt, last: seenAt, version }
      known.first = Math.min(known.first, seenAt)
      known.last = Math.max(known.last, seenAt)
      known.version = Math.min(known.version, version)
      seen.set(line(key), known)
    }
  return [...seen.values()].map(({ key, first, last, version }) => line(key, first, last, version)).sort()
}

function countLines(deltas: Iterable<CountDelta>): string[] {
  const sums = new Map<string, number>()
  for (const { audience, dim, malicious, key, n } of deltas) {
    const counter = line(audience, dim, malicious, key)
    sums.set(counter, (sums.get(counter) ?? 0) + n)
  }
  return [...sums]
    .filter(([, n]) => n !== 0)
    .map(([counter, n]) => line(counter, n))
    .sort()
}

export type Difference = { missing: number; extra: number; example?: string }

/** Rows that should be there and are not, and rows that are there and should not be. */
export function difference(expected: readonly string[], actual: readonly string[]): Difference {
  const left = new Map<string, number>()
  for (const row of expected) left.set(row, (left.get(row) ?? 0) + 1)
  const extra: string[] = []
  for (const row of actual) {
    const n = left.get(row) ?? 0
    if (n === 0) extra.push(row)
    else left.set(row, n - 1)
  }
  const missing = [...left].filter(([, n]) => n > 0)
  const example = missing[0]?.[0] ?? extra[0]
  return {
    missing: missing.reduce((sum, [, n]) => sum + n, 0),
    extra: extra.length,
    ...(example === undefined ? {} : { example }),
  }
}

/** The difference of each table. */
export const differences = (expected: Stored, actual: Stored): Record<Table, Difference> =>
  Object.fromEntries(TABLES.map((table) => [table, difference(expected[table], actual[table])])) as Record<
    Table,
    Difference
  >

const NONE = { missing: 0, extra: 0 }
/** What `differences` gives when there are none. */
export const NO_DIFFERENCES = Object.fromEntries(TABLES.map((table) => [table, NONE]))
