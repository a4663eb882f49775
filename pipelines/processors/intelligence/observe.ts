import { hash } from 'node:crypto'
import { PUBLIC_AUDIENCE } from '../../../schemas/intelligence/observations/audience.ts'
import type { Observation } from '../../../schemas/intelligence/observations/observation.ts'
import { applyFloor } from '../../../schemas/intelligence/scoring/score.ts'
import type { Claim, EntityState, EntityStates } from '../../../schemas/intelligence/state/entity-state.ts'
import { heldAt } from '../../../schemas/intelligence/state/verdict.ts'
import { cover, isCovered, uncover, unmark } from './marks/marks.ts'
import type { ObserveResult, ObserveRules } from './observe-result.ts'
import { reevaluate } from './reevaluate.ts'
import { touch } from './rescored.ts'
import { retract } from './retract.ts'
import { bookOf, type ClaimBook, keepBook } from './rows/claim-book.ts'
import { attributesAfter, locationOf, lostTagsAfter, tagsAfter } from './rows/described.ts'
import { scoreColumns } from './rows/score-columns.ts'
import { emptyRow, judge } from './rows/verdict-rows.ts'

/** A feed repeats the same statement thousands of times: at most 10 MB of recent hashes are kept. */
const CACHED = 10_000
const CACHED_LENGTH = 500
const hashes = new Map<string, bigint>()

/**
 * What makes two observations of one source say the same: attributes, reputation, tags and whether it is a mark,
 * covering or not (decisions 4, duplicates). 64 bits of SHA-1: a collision within one source, entity and window hides one record.
 */
export function contentHash(o: Observation): bigint {
  const names = Object.keys(o.attributes)
  if (names.length > 0) return hashOf(o, names)
  if (latest === undefined || !saysAs(o, latest.o)) latest = { o, hash: hashOf(o, names) }
  return latest.hash
}

/** The last one without attributes: most of a feed say what the one before them said. */
let latest: { o: Observation; hash: bigint } | undefined

function saysAs(a: Observation, b: Observation): boolean {
  if (a.kind !== b.kind || a.reputation !== b.reputation || a.covers !== b.covers) return false
  if (a.tags.length !== b.tags.length) return false
  for (let i = 0; i < a.tags.length; i++) if (a.tags[i] !== b.tags[i]) return false
  return true
}

function hashOf(o: Observation, names: string[]): bigint {
  if (names.length > 1) names.sort()
  const key = keyOf(o, names)
  const known = hashes.get(key)
  if (known !== undefined) return known
  const content: unknown[] = [o.kind, o.reputation, o.tags, names.map((n) => [n, o.attributes[n]])]
  // Only where it is said, so that the contents of before keep their hashes.
  if (o.covers) content.push('covers')
  const made = hash('sha1', JSON.stringify(content), 'buffer').readBigUInt64BE(0)
  if (hashes.size >= CACHED) hashes.clear()
  if (key.length <= CACHED_LENGTH) hashes.set(key, made)
  return made
}

/** Different for different contents, since lengths say where a text ends; made in a fraction of the time of JSON. */
function keyOf({ kind, reputation, covers, tags, attributes }: Observation, names: readonly string[]): string {
  let key = `${kind} ${reputation} ${covers} ${tags.length}`
  for (const tag of tags) key += ` ${tag.length} ${tag}`
  for (const name of names) {
    const value = attributes[name]!
    key += ` ${name.length} ${name} ${value.length} ${value}`
  }
  return key
}

/**
 * The telemetry of an owner met the entity (decisions 14.4, ADR 219): the row of the audience was seen, and nothing else
 * of it changes, its score no more than when it was scored. Without a row that has claims there is one that readers are
 * shown nothing of but when it was seen. null when it was applied before.
 */
function meet(
  states: EntityStates,
  o: Observation,
  audience: bigint,
  { partition, offset }: { partition: number; offset: number },
): ObserveResult | null {
  const before = states.find((row) => row.audience === audience)
  if (before !== undefined && before.version > offset) return null
  // Never scored: what is said of it later is scored as of then.
  const row = before ?? { ...emptyRow(states, o, audience), retracted: true, scoredAt: 0 }
  const after = { ...row, partition, version: offset + 1, ...timesAfter(row, o.observedAt) }
  return { rows: [after], kept: { accuracy: after.accuracy } }
}

/** Times of a row without claims and without a verdict are of reports that were taken back: a match stands in their place. */
function timesAfter(row: EntityState, at: number): Pick<EntityState, 'met' | 'lastSeen'> {
  if (row.sources > 0) return { met: false, lastSeen: Math.max(row.lastSeen, at) }
  return { met: true, lastSeen: row.met || row.verdict !== null ? Math.max(row.lastSeen, at) : at }
}

export type { ObserveRules }

/**
 * Applies one observation to what is known of its entity. Pure: time comes from the observation and from the log, `offset`
 * and `partition` say where in the log it stands. null when it was applied before (redelivery, replay).
 */
export function observe(
  states: EntityStates,
  o: Observation,
  audience: bigint,
  at: { partition: number; offset: number; loggedAt?: number },
  rules: ObserveRules,
): ObserveResult | null {
  if (o.kind === 'covered') return cover(states, at.offset)
  if (o.kind === 'uncovered') return uncover(states, o, at.offset, rules.scoring)
  if (o.kind === 'unmark') return unmark(states, o, at.offset, PUBLIC_AUDIENCE, rules.scoring)
  if (o.kind === 'tick') return reevaluate(states, o, at.offset, rules.scoring)
  if (o.kind === 'rescored') return touch(states, at.offset)
  if (o.kind === 'verdict') return judge(states, o, audience, at, rules)
  if (o.kind === 'match') return meet(states, o, audience, at)
  if (o.kind === 'retraction') return retract(states, o, audience, at.offset, rules)
  const before = states.find((s) => s.audience === audience)
  if (before !== undefined && before.version > at.offset) return null
  const wellKnown = o.kind === 'well_known' || states.some((s) => s.wellKnown)
  const book = before === undefined ? null : bookOf(before, rules.scoring)
  const said = book === null ? before?.claims.find((c) => c.source === o.source) : book.of(o.source)
  // A mark that was cleared meanwhile is news, whatever its source said within the hour.
  const marksAgain = o.kind === 'well_known' && before !== undefined && !before.wellKnown
  const { claim, repeat } = claimAfter(said, o, marksAgain ? 0 : rules.dedupeWindow)
  const covers = o.covers || (before?.covers ?? false)
  const cleared = !covers && (before?.cleared ?? false)
  const verdict = heldAt(before?.verdict ?? null, o.observedAt)
  const marks = { wellKnown, covered: isCovered(states, audience, o), covers, cleared, verdict }
  const row = rowAfter(before, o, audience, at, claim, book, marks, rules)
  const rows = [fadedAt(row, at.loggedAt ?? o.observedAt, rules)]
  // The mark holds for every reader: rows of other audiences take its floor too.
  if (o.kind === 'well_known')
    for (const other of states)
      if (other.audience !== audience && !other.wellKnown)
        rows.push({ ...other, version: at.offset + 1, wellKnown: true, reputation: applyFloor(other.reputation, true) })
  return { rows, kept: repeat ? null : { accuracy: row.accuracy } }
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
  marks: Pick<EntityState, 'wellKnown' | 'covered' | 'covers' | 'cleared' | 'verdict'>,
  { locate, scoring }: ObserveRules,
): EntityState {
  // What a row without claims shows was taken back, or is of a verdict: a report describes it as new (ADR 270).
  const shown = before !== undefined && before.sources === 0 && before.claims.length === 0 ? undefined : before
  const { attributes, attributeTimes } = attributesAfter(shown, o)
  const { country, asn, aso } = locationOf(o, attributes, shown, locate)
  const tags = tagsAfter(shown?.tags, o.tags)
  const metAt = before?.met ? before.lastSeen : 0
  const lastSeen = Math.max(shown?.lastSeen ?? metAt, o.observedAt)
  const { wellKnown, covered, covers, cleared, verdict } = marks
  // Not as of a match, which is no sighting by a source and refreshes nothing.
  const scoredAt = Math.max(o.observedAt, shown?.scoredAt ?? 0)
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
    cleared,
    retracted: false,
    met: false,
    verdict,
    tags,
    lostTags: lostTagsAfter(before, tags),
    attributes,
    attributeTimes,
    country,
    asn,
    aso,
    firstSeen: Math.min(shown?.firstSeen ?? o.observedAt, o.observedAt),
    lastSeen,
    scoredAt: score.scoredAt,
    due: score.due,
    claims: score.claims,
  }
  keepBook(row, book)
  return row
}

/**
 * A report of the past whose score would have changed before the log took it: the row is scored as of then, as the next tick
 * would do (ADR 269). The record keeps the accuracy that its claims had when it was observed.
 */
function fadedAt(row: EntityState, loggedAt: number, { scoring }: ObserveRules): EntityState {
  if (row.due === 0 || row.due > loggedAt) return row
  const { type, claims } = row
  const verdict = heldAt(row.verdict, loggedAt)
  return {
    ...row,
    verdict,
    ...scoreColumns(type, claims, Math.max(row.scoredAt, loggedAt), { ...row, verdict }, scoring),
  }
}

/** What the source of the claim said before is not claimed any more. */
const claimsAfter = (before: EntityState | undefined, claim: Claim): readonly Claim[] =>
  before === undefined ? [claim] : [...before.claims.filter((c) => c.source !== claim.source), claim]
