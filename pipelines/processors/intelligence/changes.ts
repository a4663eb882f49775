import { BUILT_IN } from '../../../schemas/intelligence/scoring/rules.ts'
import {
  type Change,
  type ChangedRow,
  changeId,
  type FoldedClaim,
  type ShownRow,
  type StatedAttribute,
} from '../../../schemas/intelligence/state/change.ts'
import type { EntityState, EntityStates } from '../../../schemas/intelligence/state/entity-state.ts'
import type { Positioned } from '../../../schemas/intelligence/state/stored.ts'
import type { ObserveResult, ObserveRules } from './observe-result.ts'
import { type FormerScores, foldedBy, formerScores, isRescored } from './rows/former-score.ts'

/** A change of which some rows lack their groups: those of another audience than its record. */
export type PendingChange = { change: Change; others: readonly { row: ChangedRow; audience: bigint }[] }

type ScoredBy = Pick<ObserveRules, 'scoring' | 'rulesChange'>

/** A change carries at most so many claims of all rows together; further ones are read where they are stored. */
const MOST_CLAIMS = 256
const MOST_ROWS = 64
/**
 * Whoever asks for what was seen lately asks for an hour at least (decisions 10.3), and lets go of an entity by the clock,
 * while the jobs may be some minutes behind.
 */
const SEEN_AGAIN_MS = 50 * 60_000

const NONE: readonly never[] = []
const NO_ATTRIBUTES: Readonly<Record<string, never>> = Object.freeze({})

/**
 * What a record changed of its entity for any reader, or null. Pure, and the same whenever the record is applied to the
 * same rows, in whatever order they come.
 *
 * A reader of one row is shown that row, so a row alone is told when something that it shows is another. Rows of several
 * audiences are scored together: any claim that moves may be another score, so each record of such an entity is told,
 * with all rows. A sighting that changes nothing but `lastSeen` is told when the log took it 50 minutes
 * after the one before: by then a reader may have let go of the entity, however old the sighting itself is. A record that
 * names links is always told: a reader may see one of them for the first time, also in a repeat. Where no record touched a
 * row since the scoring rules became others, it says what the row showed under those of before (ADR 271).
 * @param before the rows of the entity until then
 * @param after all of its rows
 */
export function changeOf(
  before: EntityStates,
  after: EntityStates,
  { rows }: ObserveResult,
  record: Positioned,
  { scoring = BUILT_IN, rulesChange = null }: ScoredBy = {},
): PendingChange | null {
  const { observation: o, partition, offset } = record
  const { links } = o
  const alone = after.length === 1
  // Of a retraction, which names no links.
  if (rows.length === 0) return null
  const loggedAt = record.loggedAt ?? o.observedAt
  const former = formerScores(before, rulesChange)
  if (alone && links.length === 0 && !isShown(before[0], rows[0]!, loggedAt) && !isRescored(former, rows[0]!))
    return null
  // Every row was touched since, as by a record that was sent twice.
  if (o.kind === 'rescored' && former.size === 0) return null
  const wide = !alone && isWide(after)
  const names = alone ? null : new Set(['country', 'asn', ...Object.keys(o.attributes), ...taken(before, o)])
  const sorted = alone ? after : after.toSorted(byAudience)
  const others: { row: ChangedRow; audience: bigint }[] = []
  const change: Change = {
    id: changeId(partition, offset),
    observationId: o.id,
    cause: o.kind,
    entityId: o.entityId,
    type: o.type,
    value: o.value,
    sourceKind: o.sourceKind,
    observedAt: o.observedAt,
    partition,
    offset,
    audience: o.audience,
    links,
    wide,
    foldedBy: alone || wide ? null : foldedBy([...before, ...after], scoring, former.size > 0 ? rulesChange : null),
    rows: sorted.map((state) => {
      const isOwn = state.audience === record.audience
      const row = stepOf(before, state, former, { names, claims: !wide, loggedAt }, isOwn ? o.audience : NONE)
      if (!isOwn) others.push({ row, audience: state.audience })
      return row
    }),
  }
  return { change, others }
}

/** Attributes that a retraction may have taken from a row. */
const taken = (before: EntityStates, { kind }: Positioned['observation']): string[] =>
  kind === 'retraction' ? before.flatMap(({ attributes }) => Object.keys(attributes)) : []

/** Rows stand in another order once they were read from the store. */
const byAudience = (a: EntityState, b: EntityState): number =>
  a.audience < b.audience ? -1 : Number(a.audience > b.audience)

/** Whether a change of these rows, or an index, leaves their claims to the store. */
export const isWide = (rows: EntityStates): boolean =>
  rows.length > MOST_ROWS || rows.reduce((sum, { sources }) => sum + sources, 0) > MOST_CLAIMS

function stepOf(
  before: EntityStates,
  row: EntityState,
  former: FormerScores,
  { names, claims, loggedAt }: { names: ReadonlySet<string> | null; claims: boolean; loggedAt: number },
  audience: readonly string[],
): ChangedRow {
  const old = before.find((r) => r.audience === row.audience)
  const after = shown(row, names, claims)
  const was = former.get(row.audience) ?? null
  if (old === undefined) return { audience, step: 'created', after, before: null, described: false, told: true, was }
  if (old === row) return { audience, step: 'same', after, before: null, described: false, told: false, was }
  const told = isShown(old, row, loggedAt)
  return {
    audience,
    step: 'changed',
    after,
    before: shown(old, names, claims),
    described: isDescribed(old, row),
    told,
    was,
  }
}

function shown(row: EntityState, names: ReadonlySet<string> | null, claims: boolean): ShownRow {
  return {
    reputation: row.reputation,
    accuracy: row.accuracy,
    wellKnown: row.wellKnown,
    covered: row.covered,
    retracted: row.retracted,
    met: row.met,
    verdict: row.verdict,
    tags: row.tags,
    country: row.country,
    asn: row.asn,
    firstSeen: row.firstSeen,
    lastSeen: row.lastSeen,
    scoredAt: row.scoredAt,
    attributes: names === null ? NO_ATTRIBUTES : stated(row, names),
    claims: names === null || !claims ? NONE : foldedClaims(row),
  }
}

/** In one order, however the row came by them: a change that is sent again has the same bytes. */
const foldedClaims = ({ claims }: EntityState): FoldedClaim[] =>
  claims
    .map(({ source, kind, trust, reputation, at }) => ({ source, kind, trust, reputation, at }))
    .sort((a, b) => (a.source < b.source ? -1 : 1))

function stated(
  { attributes, attributeTimes }: EntityState,
  names: ReadonlySet<string>,
): Record<string, StatedAttribute> {
  const found: Record<string, StatedAttribute> = {}
  for (const name of names) {
    const value = attributes[name]
    if (value !== undefined) found[name] = { value, time: attributeTimes[name] ?? 0 }
  }
  return found
}

/** Whether a reader of this row alone is shown something else than before, or sees it again after a while. */
function isShown(old: EntityState | undefined, row: EntityState, loggedAt: number): boolean {
  if (old === undefined) return true
  return (
    old.reputation !== row.reputation ||
    old.accuracy !== row.accuracy ||
    old.wellKnown !== row.wellKnown ||
    old.covered !== row.covered ||
    old.retracted !== row.retracted ||
    old.firstSeen !== row.firstSeen ||
    (row.lastSeen > old.lastSeen && Math.max(loggedAt, row.lastSeen) - old.lastSeen >= SEEN_AGAIN_MS) ||
    !sameTags(old.tags, row.tags) ||
    isDescribed(old, row)
  )
}

const sameTags = (a: readonly string[], b: readonly string[]): boolean =>
  a === b || (a.length === b.length && a.every((tag, i) => tag === b[i]))

function isDescribed({ attributes: a }: EntityState, { attributes: b }: EntityState): boolean {
  if (a === b) return false
  const names = Object.keys(b)
  return names.length !== Object.keys(a).length || names.some((name) => a[name] !== b[name])
}

/** The audiences of its rows that are not that of the record: their groups stand in the store. */
export const othersOf = ({ others }: PendingChange): bigint[] => others.map(({ audience }) => audience)

const NO_GROUPS: ReadonlyMap<bigint, readonly string[]> = new Map()

/**
 * The record for the log: the change itself, with the groups of all of its rows from then on.
 * @param groups of `othersOf`
 * @throws Error when one is missing
 */
export function withGroups({ change, others }: PendingChange, groups = NO_GROUPS): Change {
  for (const { row, audience } of others) {
    const those = groups.get(audience)
    if (those === undefined) throw new Error(`the groups of the audience ${audience} are not stored`)
    row.audience = those
  }
  return change
}
