import type { Observation } from '../../../schemas/intelligence/observations/observation.ts'
import type { ScoringRules } from '../../../schemas/intelligence/scoring/rules.ts'
import { applyFloor } from '../../../schemas/intelligence/scoring/score.ts'
import type { Claim, EntityState, EntityStates } from '../../../schemas/intelligence/state/entity-state.ts'
import { contentHash } from './content-hash.ts'
import type { ObserveResult } from './observe-result.ts'
import { reevaluate } from './reevaluate.ts'
import { retract } from './retract.ts'
import { scoreColumns } from './score-columns.ts'

export type Locate = (ip: string) => { country: string; asn: number; aso: string }

export type ObserveRules = {
  /** Milliseconds of observation time in which the same content is a repeat (decisions 4, duplicates). */
  dedupeWindow: number
  locate: Locate
  /** How claims become a score; as the platform comes when left out. */
  scoring?: ScoringRules
}

/** Tags of a row are capped so that no reporter can grow a row without bound; what came first stays. */
const MAX_TAGS = 1000

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
  const { claim, repeat } = claimAfter(
    before?.claims.find((c) => c.source === o.source),
    o,
    rules.dedupeWindow,
  )
  const marks = { wellKnown, covered: states.some((s) => s.covered), covers: o.covers || (before?.covers ?? false) }
  const row = rowAfter(before, o, audience, at, claim, marks, rules)
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
  marks: Pick<EntityState, 'wellKnown' | 'covered' | 'covers'>,
  { locate, scoring }: ObserveRules,
): EntityState {
  const { attributes, attributeTimes } = attributesAfter(before, o)
  const { country, asn, aso } = locationOf(o, attributes, before, locate)
  const claims = before === undefined ? [claim] : [...before.claims.filter((c) => c.source !== o.source), claim]
  const lastSeen = Math.max(before?.lastSeen ?? o.observedAt, o.observedAt)
  const { wellKnown, covered, covers } = marks
  const score = scoreColumns(o.type, claims, Math.max(lastSeen, before?.scoredAt ?? 0), marks, scoring)
  // Field by field: spreading objects into one costs more than all of the rest.
  return {
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
    claims,
  }
}

const NONE: Readonly<Record<string, never>> = Object.freeze({})

/** For each attribute the latest value by observation time (decisions 4). */
function attributesAfter(before: EntityState | undefined, o: Observation) {
  let attributes: Record<string, string> = before?.attributes ?? NONE
  let attributeTimes: Record<string, number> = before?.attributeTimes ?? NONE
  // Not `for in`: it is compiled for the very shapes it has met, and shapes of records come and go (ADR 151).
  for (const name of Object.keys(o.attributes)) {
    const known = attributeTimes[name]
    if (known !== undefined && known > o.observedAt) continue
    if (attributes === before?.attributes || attributes === NONE) {
      attributes = { ...attributes }
      attributeTimes = { ...attributeTimes }
    }
    attributes[name] = o.attributes[name]!
    attributeTimes[name] = o.observedAt
  }
  return { attributes, attributeTimes }
}

function tagsAfter(before: readonly string[] | undefined, tags: readonly string[]): readonly string[] {
  if (before === undefined) return tags
  const fresh = tags.filter((t) => !before.includes(t))
  return fresh.length === 0 ? before : [...before, ...fresh].slice(0, MAX_TAGS).sort()
}

/** Submitted attributes win, else the packaged IP database (decisions 5.2). */
function locationOf(
  o: Observation,
  attributes: Readonly<Record<string, string>>,
  before: EntityState | undefined,
  locate: Locate,
): { country: string; asn: number; aso: string } {
  if (o.type !== 'ip' && o.type !== 'cidr') return { country: '', asn: 0, aso: '' }
  if (before !== undefined && attributes === before.attributes)
    return { country: before.country, asn: before.asn, aso: before.aso }
  const found = locate(o.type === 'ip' ? o.value : o.value.slice(0, o.value.indexOf('/')))
  const { country, asn, aso } = attributes
  return {
    country: country ?? found.country,
    asn: asn === undefined ? found.asn : asNumber(asn),
    aso: aso ?? found.aso,
  }
}

/** An AS number has 32 bits; the attribute's datatype allows any integer. Outside it counts as unknown. */
function asNumber(text: string): number {
  const n = Number(text)
  return Number.isInteger(n) && n > 0 && n <= 0xffffffff ? n : 0
}
