import { BUILT_IN, type ScoringRules } from '../scoring/rules.ts'
import { type ScoredClaim, score } from '../scoring/score.ts'
import type { EntityState } from './entity-state.ts'
import { decide, latestVerdict } from './verdict.ts'

/** What one caller is shown of an entity: the fold of the rows of all audiences that the caller reads (design 5). */
export type EntityView = Pick<
  EntityState,
  | 'entityId'
  | 'type'
  | 'value'
  | 'reputation'
  | 'accuracy'
  | 'best'
  | 'worst'
  | 'wellKnown'
  | 'covered'
  | 'tags'
  | 'attributes'
  | 'country'
  | 'asn'
  | 'aso'
  | 'firstSeen'
  | 'lastSeen'
>

/** What of a row the fold of several follows from. */
export type FoldedRow = EntityView &
  Pick<EntityState, 'audience' | 'attributeTimes' | 'scoredAt' | 'verdict' | 'retracted' | 'met'> & {
    claims: readonly ScoredClaim[]
  }

/**
 * Folds the rows of one entity, at least one, in any order: all claims scored together as of the latest moment
 * of which a row is, tags united, of each attribute the latest value. A verdict of any of them decides, the latest of
 * several (ADR 208). A single row is its own fold, and a retracted row has no part in that of others (ADR 270), but for
 * when a match saw the entity (ADR 219).
 */
export function fold(given: readonly FoldedRow[], rules: ScoringRules = BUILT_IN): EntityView {
  const sorted = [...given].sort((a, b) => (a.audience < b.audience ? -1 : 1))
  if (sorted[0] === undefined) throw new Error('an entity without rows has no view')
  const rows = sorted.filter((row) => !row.retracted)
  const [first, ...others] = rows
  if (first === undefined) return sorted[0]
  const metAt = Math.max(0, ...sorted.map((row) => (row.met ? row.lastSeen : 0)))
  if (others.length === 0) return metAt > first.lastSeen ? { ...first, lastSeen: metAt } : first
  // A verdict sees nothing.
  const seen = rows.some((r) => r.claims.length > 0) ? rows.filter((r) => r.claims.length > 0) : rows
  const wellKnown = rows.some((r) => r.wellKnown)
  const covered = rows.some((r) => r.covered)
  const s = score(
    first.type,
    rows.flatMap((r) => r.claims),
    Math.max(...rows.map((r) => r.scoredAt)),
    rules,
  )
  const attributes = latest([first, ...others])
  const shown = decide(s, { wellKnown, covered }, latestVerdict(rows))
  return {
    entityId: first.entityId,
    type: first.type,
    value: first.value,
    reputation: shown.reputation,
    accuracy: shown.accuracy,
    best: s.best,
    worst: s.worst,
    wellKnown,
    covered,
    tags: [...new Set(rows.flatMap((r) => r.tags))].sort(byBytes),
    attributes,
    ...whereabouts([first, ...others], attributes),
    firstSeen: Math.min(...seen.map((r) => r.firstSeen)),
    lastSeen: Math.max(metAt, ...seen.map((r) => r.lastSeen)),
  }
}

/** As the store compares text, which folds rows by the same rules (ADR 272). */
const byBytes = (a: string, b: string): number => (a === b ? 0 : Buffer.compare(Buffer.from(a), Buffer.from(b)))

function latest(rows: readonly FoldedRow[]): Record<string, string> {
  const attributes: Record<string, string> = {}
  const times: Record<string, number> = {}
  for (const row of rows)
    for (const [name, value] of Object.entries(row.attributes)) {
      const time = row.attributeTimes[name] ?? 0
      const known = times[name]
      if (known !== undefined && (known > time || (known === time && byBytes(attributes[name]!, value) >= 0))) continue
      attributes[name] = value
      times[name] = time
    }
  return attributes
}

/** A row that states the folded attribute speaks for it; without one, rows agree on what the IP database says. */
function whereabouts(rows: readonly FoldedRow[], attributes: Readonly<Record<string, string>>) {
  const of = (name: 'country' | 'asn' | 'aso'): FoldedRow => {
    const stated = attributes[name]
    return rows.find((r) => (stated === undefined ? r[name] : r.attributes[name] === stated)) ?? rows[0]!
  }
  return { country: of('country').country, asn: of('asn').asn, aso: of('aso').aso }
}

/** Whether nothing counts of what a reader of these rows may read: no list has such an entity (decisions 17.3). */
export const isRetracted = (rows: readonly Pick<EntityState, 'retracted'>[]): boolean =>
  rows.every((row) => row.retracted)
