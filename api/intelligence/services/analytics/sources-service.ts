import type { History, Query } from '../../../../connectors/history/port.ts'
import {
  type Naming,
  type ScoreRow,
  sourceScores,
  sourceVolumes,
  type VolumeRow,
} from '../../../../connectors/history/sql/queries/sources-queries.ts'
import { promiseCache } from '../../../../platform/promise-cache.ts'
import type { SourceKind } from '../../../../schemas/intelligence/observations/observation.ts'
import { fairQueue } from '../fair-queue.ts'
import type { Reader } from '../readers.ts'

/** How a source does, as one reader sees it; what each figure means: docs/use/sources.md. */
export type Scorecard = {
  /** null: all other sources of the kind together. */
  source: string | null
  kind: SourceKind
  mine: boolean
  volume: number
  entities: number
  malicious: number
  benign: number
  unique: number
  uniqueness: number
  first: number
  first_share: number
  lead_hours: number | null
  overlap_well_known: number
  agreed_share: number
  contradicted_share: number
  freshness: number
  last_report: string | null
}

export const SORTS = [
  'volume',
  'entities',
  'malicious',
  'benign',
  'uniqueness',
  'first_share',
  'lead_hours',
  'overlap_well_known',
  'agreed_share',
  'contradicted_share',
  'freshness',
  'last_report',
] as const
export type SourceSort = (typeof SORTS)[number]

export type SourceQuestion = Naming & { days: number; limit: number; sort: SourceSort }

/** Sources that are looked at, those with the most entities and those with the most records. */
const MAX_SOURCES = 10_000
const MAX_CACHED = 64
const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
/** One query over all entities at a time; equal questions share its answer. */
const TURNS = { atOnce: 1, atOnceOfOne: 1, waitMs: 10_000, waiting: 32, waitingOfOne: 4 }

/**
 * Scorecards of the sources of what a reader may read, remembered for `ttlMs`: they read every claim of every entity
 * (ADR 269). Throws ApiError as `turns` does.
 */
export function sourceScorecards(history: Pick<History, 'query'>, now: () => number, ttlMs = 30_000) {
  const { use } = fairQueue(TURNS)
  const scores = promiseCache<ScoreRow[]>({ max: MAX_CACHED, ttlMs, now })
  const volumes = promiseCache<VolumeRow[]>({ max: MAX_CACHED, ttlMs, now })

  /** `caller` takes turns with the others. */
  return async (reader: Reader, { own, every, days, limit, sort }: SourceQuestion, caller: string) => {
    const at = now()
    const filter = { own, every, audiences: reader.audiences, limit: MAX_SOURCES }
    const who = [[...reader.groups].sort(), every ? null : [...own].sort()]
    // Later requests wait for the same answer, so a client that disconnects does not abort it.
    const turn = <Row>(query: Query) => use(() => history.query<Row>(query), caller, new AbortController().signal)
    const [scored, counted] = await Promise.all([
      scores.get(JSON.stringify(who), () => turn(sourceScores({ ...filter, ownAudiences: reader.own, now: at }))),
      volumes.get(JSON.stringify([who, days]), () => turn(sourceVolumes({ ...filter, since: at - days * DAY_MS }))),
    ])
    const records = new Map(counted.map((row) => [row.shown_as, Number(row.records)]))
    const known = new Map(scored.map((row) => [row.source, row]))
    const names = [...new Set([...known.keys(), ...records.keys()])]
    const all = names.map((name) => scorecard(name, own, known.get(name), records.get(name) ?? 0))
    return { items: all.sort(by(sort)).slice(0, limit), sources: all.length, window: { days } }
  }
}

export type SourceScorecards = ReturnType<typeof sourceScorecards>

function scorecard(shown: string, own: readonly string[], row: ScoreRow | undefined, volume: number): Scorecard {
  const split = shown.indexOf(':')
  const [kind, name] = [shown.slice(0, split) as SourceKind, shown.slice(split + 1)]
  const entities = Number(row?.entities ?? 0)
  const malicious = Number(row?.malicious ?? 0)
  const unique = Number(row?.unique_entities ?? 0)
  const first = Number(row?.first_entities ?? 0)
  return {
    source: name === '' ? null : name,
    kind,
    mine: kind !== 'feed' && own.includes(name),
    volume,
    entities,
    malicious,
    benign: Number(row?.benign ?? 0),
    unique,
    uniqueness: share(unique, entities),
    first,
    first_share: share(first, entities - unique),
    lead_hours: row?.lead == null ? null : roundShare(row.lead / HOUR_MS),
    overlap_well_known: share(Number(row?.on_marked ?? 0), malicious),
    agreed_share: share(Number(row?.agreed ?? 0), malicious),
    contradicted_share: share(Number(row?.contradicted ?? 0), malicious),
    freshness: roundShare(row?.freshness ?? 0),
    last_report: row === undefined ? null : new Date(Number(row.last)).toISOString(),
  }
}

/** Four places: more would be noise of float sums. */
const roundShare = (value: number): number => Math.round(value * 10_000) / 10_000
const share = (part: number, whole: number): number => (whole === 0 ? 0 : roundShare(part / whole))

/** Largest first, what is null last; ties by kind and name. */
const by =
  (sort: SourceSort) =>
  (a: Scorecard, b: Scorecard): number => {
    const [left, right] = [a[sort], b[sort]]
    if (left !== right) return right === null || (left !== null && left > right) ? -1 : 1
    return nameOf(a) < nameOf(b) ? -1 : 1
  }

const nameOf = ({ kind, source }: Scorecard): string => `${kind}:${source ?? ''}`
