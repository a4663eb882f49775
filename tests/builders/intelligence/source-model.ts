import { halfLifeDays } from '../../../schemas/intelligence/entities/half-life.ts'
import type { SourceKind } from '../../../schemas/intelligence/observations/observation.ts'

/** What one source holds of one entity for one audience. Times are unix milliseconds. */
export type ModelClaim = {
  entityId: string
  type: string
  marked: boolean
  kind: SourceKind
  source: string
  reputation: number | null
  claimedAt: number
  at: number
  firstSeen: number
}

const DAY = 86_400_000
const four = (n: number): number => Math.round(n * 10_000) / 10_000
const share = (part: unknown[], whole: unknown[]): number => (whole.length === 0 ? 0 : four(part.length / whole.length))

function median(values: readonly number[]): number | null {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = (sorted.length - 1) / 2
  return sorted.length === 0 ? null : (sorted[Math.floor(middle)]! + sorted[Math.ceil(middle)]!) / 2
}

/** Under which name a caller is shown a source. */
export const shownAs = (kind: SourceKind, source: string, own: readonly string[], every = false): string =>
  kind === 'feed' || every || own.includes(source) ? `${kind}:${source}` : `${kind}:`

/** docs/use/sources.md word by word: every figure looks at all claims again. `shown` names the source of a claim. */
export function sourceModel(claims: readonly ModelClaim[], shown: (claim: ModelClaim) => string, now: number) {
  const merged = [...Map.groupBy(claims, (c) => `${c.entityId} ${shown(c)}`).values()].map((same) => {
    const last = Math.max(...same.filter((c) => c.reputation !== null).map((c) => c.claimedAt))
    const said = same.filter((c) => c.reputation !== null && c.claimedAt === last).map((c) => c.reputation!)
    return {
      entityId: same[0]!.entityId,
      type: same[0]!.type,
      source: shown(same[0]!),
      marked: claims.some((c) => c.entityId === same[0]!.entityId && c.marked),
      said: said.length === 0 ? null : Math.min(...said),
      statedAt: last,
      first: Math.min(...same.map((c) => c.firstSeen)),
      at: Math.max(...same.map((c) => c.at)),
    }
  })
  return [...Map.groupBy(merged, (c) => c.source)].map(([source, mine]) => {
    const others = (c: (typeof merged)[number]) =>
      merged.filter((other) => other.entityId === c.entityId && other.source !== source)
    const malicious = mine.filter((c) => c.said !== null && c.said < 0)
    const unique = mine.filter((c) => others(c).length === 0)
    const first = mine.filter((c) => others(c).length > 0 && others(c).every((other) => other.first > c.first))
    const lead = median(first.map((c) => Math.min(...others(c).map((other) => other.first)) - c.first))
    const sum = mine.reduce((all, c) => all + 2 ** (-Math.max(0, now - c.at) / (halfLifeDays(c.type) * DAY)), 0)
    return {
      source,
      entities: mine.length,
      malicious: malicious.length,
      benign: mine.filter((c) => c.said !== null && c.said > 0).length,
      unique: unique.length,
      uniqueness: share(unique, mine),
      first: first.length,
      first_share: first.length === 0 ? 0 : four(first.length / (mine.length - unique.length)),
      lead_hours: lead === null ? null : four(lead / 3_600_000),
      overlap_well_known: share(
        malicious.filter((c) => c.marked),
        malicious,
      ),
      agreed_share: share(
        malicious.filter((c) => others(c).some((o) => o.said !== null && o.said < 0 && o.first > c.first)),
        malicious,
      ),
      contradicted_share: share(
        malicious.filter((c) => others(c).some((o) => o.said !== null && o.said > 0 && o.statedAt > c.first)),
        malicious,
      ),
      freshness: sum / mine.length,
      last_report: new Date(Math.max(...mine.map((c) => c.at))).toISOString(),
    }
  })
}
