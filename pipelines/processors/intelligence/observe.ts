import type { Observation } from '../../../schemas/intelligence/observations/observation.ts'
import type { ScoringRules } from '../../../schemas/intelligence/scoring/rules.ts'
import { applyFloor } from '../../../schemas/intelligence/scoring/score.ts'
import type { Claim, EntityState, EntityStates } from '../../../schemas/intelligence/state/entity-state.ts'
import { contentHash } from './content-hash.ts'
import type { ObserveResult } from './observe-result.ts'
import { reevaluate } from './reevaluate.ts'
import { retract } from './retract.ts'
import { bookOf, type ClaimBook, keepBook } from './rows/claim-book.ts'
import { attributesAfter, type Locate, locationOf, tagsAfter } from './rows/described.ts'
import { scoreColumns } from './rows/score-columns.ts'

export type ObserveRules = {
  /** Milliseconds of observation time in which the same content is a repeat (decisions 4, duplicates). */
  dedupeWindow: number
  locate: Locate
  /** How claims become a score; as the platform comes when left out. */
  scoring?: ScoringRules
}

/**
 * Applies one observation to what is known of its entity. Pure: time comes from the observation, `offset` and
 * `partition` say where in the log it stands. null when it was applied before (redelivery, replay).
 */
export function observe(
  states: EntityStates,
  o: Observation,
  audience: bigint,
  at: { partition: number; offset: number },
  rules: ObserveRules,
): ObserveResult | null {
  if (o.kind === 'covered') return cover(states, at.offset)
  if (o.kind === 'tick') return reevaluate(states, o, at.offset, rules.scoring)
  if (o.kind === 'retraction') return retract(states, o, audience, at.offset, rules.scoring)
  const before = states.find((s) => s.audience === audience)
  if (before !== undefined && before.version > at.offset) return null
  const wellKnown = o.kind === 'well_known' || states.some((s) => s.wellKnown)
  const book = before === undefined ? null : bookOf(before, rules.scoring)
  const said = book === null ? before?.claims.find((c) => c.source === o.source) : book.of(o.source)
  const { claim, repeat } = claimAfter(said, o, rules.dedupeWindow)
  const marks = { wellKnown, covered: states.some((s) => s.covered), covers: o.covers || (before?.covers ?? false) }
  const row = rowAfter(before, o, audience, at, claim, book, marks, rules)
  const rows = [row]
  // The mark holds for every reader: rows of other audiences take its floor too.
  if (o.kind === 'well_known')
    for (const other of states)
      if (other.audience !== audience && !other.wellKnown)
        rows.push({ ...other, version: at.offset + 1, wellKnown: true, reputation: applyFloor(other.reputation, true) })
  return { rows, kept: repeat ? null : { accuracy: row.accuracy } }
}

/**
 * The entity lies under a covering mark: every row of it takes the floor, and later rows take it from these. Nothing
 * else changes, as no source made a claim or a sighting. null when there is nothing to change, as in a second record.
 */
function cover(states: EntityStates, offset: number): ObserveResult | null {
  const rows = states
    .filter((row) => !row.covered && row.version <= offset)
    .map((row) => ({ ...row, version: offset + 1, covered: true, reputation: applyFloor(row.reputation, true) }))
  return rows.length === 0 ? null : { rows, kept: null }
}

/** The latest statement by observation time is the claim; any sighting refreshes its age (decisions 4). */
function claimAfter(before: Claim | undefined, o: Observation, window: number): { claim: Claim; repeat: boolean } {
  const hash = contentHash(o)
  const repeat = before !== undefined && before.keptHash === hash && Math.abs(o.observedAt - before.keptAt) < window
  const states = o.reputation !== null && (before === undefined || o.observedAt >= before.claimedAt)
  const claim: Claim = {
    source: o.source,
    kind: states || before === undefined ? o.sourceKind : before.kind,
    trust: states || before === undefined ? o.trust : before.trust,
    reputation: states ? o.reputation : (before?.reputation ?? null),
    claimedAt: states ? o.observedAt : (before?.claimedAt ?? 0),
    at: Math.max(before?.at ?? o.observedAt, o.observedAt),
    keptAt: repeat ? before.keptAt : o.observedAt,
    keptHash: repeat ? before.keptHash : hash,
    firstSeen: Math.min(before?.firstSeen ?? o.observedAt, o.observedAt),
  }
  return { claim, repeat }
}

/**
 * The row is scored as of its last sighting or the re-evaluation after it: time passes for a row only through the
 * log.
 */
function rowAfter(
  before: EntityState | undefined,
  o: Observation,
  audience: bigint,
  at: { partition: number; offset: number },
  claim: Claim,
  book: ClaimBook | null,
  marks: Pick<EntityState, 'wellKnown' | 'covered' | 'covers'>,
  { locate, scoring }: ObserveRules,
): EntityState {
  const { attributes, attributeTimes } = attributesAfter(before, o)
  const { country, asn, aso } = locationOf(o, attributes, before, locate)
  const lastSeen = Math.max(before?.lastSeen ?? o.observedAt, o.observedAt)
  const { wellKnown, covered, covers } = marks
  const scoredAt = Math.max(lastSeen, before?.scoredAt ?? 0)
  const score =
    book?.put(claim, scoredAt, marks) ?? scoreColumns(o.type, claimsAfter(before, claim), scoredAt, marks, scoring)
  // Field by field: spreading objects into one costs more than all of the rest.
  const row: EntityState = {
    entityId: o.entityId,
    type: o.type,
    value: o.value,
    audience,
    partition: at.partition,
    version: at.offset + 1,
    reputation: score.reputation,
    accuracy: score.accuracy,
    best: score.best,
    worst: score.worst,
    sources: score.sources,
    wellKnown,
    covered,
    covers,
    tags: tagsAfter(before?.tags, o.tags),
    attributes,
    attributeTimes,
    country,
    asn,
    aso,
    firstSeen: Math.min(before?.firstSeen ?? o.observedAt, o.observedAt),
    lastSeen,
    scoredAt: score.scoredAt,
    due: score.due,
    claims: score.claims,
  }
  keepBook(row, book)
  return row
}

/** What the source of the claim said before is not claimed any more. */
const claimsAfter = (before: EntityState | undefined, claim: Claim): readonly Claim[] =>
  before === undefined ? [claim] : [...before.claims.filter((c) => c.source !== claim.source), claim]
