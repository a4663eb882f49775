/**
 * What a caller should be told, computed from the list of reports alone and without any of the stores: every report the
 * caller may read is looked at again for every question. Slow and short, so that it can be believed.
 */

import { score } from '../../schemas/score.ts'

export type Report = {
  /** Who reports, and so the source. */
  user: string
  trust: number
  type: string
  value: string
  entityId: string
  /** Sorted groups. */
  audience: string[]
  reputation: number | null
  tags: string[]
  country: string | null
  text: string | null
  wellKnown: boolean
  observedAt: number
}

type Claim = { source: string; reputation: number | null; trust: number; at: number }

const WINDOW_MS = 3_600_000

const meets = (audience: readonly string[], groups: readonly string[]): boolean =>
  audience.some((group) => group === 'public' || groups.includes(group))

/** One claim per source and audience: the last that was stated, as old as the last sighting. */
function claimsOf(reports: readonly Report[]): Claim[] {
  const claims = new Map<string, Claim>()
  for (const { user, trust, audience, reputation, observedAt: at } of reports) {
    const key = `${user} ${audience}`
    const stated = reputation ?? claims.get(key)?.reputation ?? null
    claims.set(key, { source: user, reputation: stated, trust, at })
  }
  return [...claims.values()]
}

type View = ReturnType<typeof viewOf>

function viewOf(reports: readonly Report[]) {
  const { type, value, entityId } = reports[0]!
  const lastSeen = Math.max(...reports.map((r) => r.observedAt))
  const { reputation, accuracy } = score(type, claimsOf(reports), lastSeen)
  return {
    type,
    value,
    entityId,
    lastSeen,
    reputation: reports.some((r) => r.wellKnown) ? Math.max(0, reputation) : reputation,
    accuracy,
    tags: [...new Set(reports.flatMap((r) => r.tags))].sort(),
    country: reports.findLast((r) => r.country !== null)?.country ?? null,
  }
}

const compare = (a: string, b: string): number =>
  /^-?\d+$/.test(a) && /^-?\d+$/.test(b) ? Number(a) - Number(b) : a < b ? -1 : 1

function buckets(keys: readonly string[]) {
  return [...Map.groupBy(keys, (key) => key)]
    .map(([key, all]) => ({ key, count: all.length }))
    .sort((a, b) => b.count - a.count || compare(a.key, b.key))
}

/** Answers for a caller in these groups; `countryOf` is for addresses of which nobody stated it. */
export function readerModel(reports: readonly Report[], groups: readonly string[], countryOf: (ip: string) => string) {
  const readable = reports.filter((r) => meets(r.audience, groups))
  const views: View[] = [...Map.groupBy(readable, (r) => r.entityId).values()].map(viewOf)
  const malicious = views.filter((v) => v.reputation < 0)

  return {
    overview: () => ({
      total_entities: views.length,
      malicious_count: malicious.length,
      by_type: buckets(views.map((v) => v.type)),
      by_reputation: buckets(views.map((v) => String(v.reputation))),
      by_accuracy: buckets(views.map((v) => String(v.accuracy))),
      top_tags: buckets(views.flatMap((v) => v.tags)).slice(0, 20),
      seen: views.length,
    }),
    recent: (maliciousOnly: boolean) =>
      (maliciousOnly ? malicious : views)
        .sort((a, b) => b.lastSeen - a.lastSeen || (a.entityId < b.entityId ? -1 : 1))
        .map(({ value, reputation, accuracy, tags }) => ({ value, reputation, accuracy, tags })),
    attribution: (maliciousOnly: boolean) =>
      buckets(
        (maliciousOnly ? malicious : views)
          .filter((v) => v.type === 'ip')
          .map((v) => v.country ?? countryOf(v.value))
          .filter(Boolean),
      ),
    /** Records of an entity or with a word, newest first. A repeat of what was kept last is no record. */
    search: (query: string) =>
      kept(reports)
        .filter(
          (r) => meets(r.audience, groups) && (r.value === query || (r.text?.split(' ').includes(query) ?? false)),
        )
        .reverse()
        .map((r) => ({
          userID: r.user,
          reputation: r.reputation ?? 0,
          tags: r.tags,
          visibleBy: r.audience.filter((group) => group === 'public' || groups.includes(group)),
        })),
  }
}

export type ReaderModel = ReturnType<typeof readerModel>

function kept(reports: readonly Report[]): Report[] {
  const last = new Map<string, Report>()
  return reports.filter((r) => {
    const key = `${r.user} ${r.audience} ${r.entityId}`
    const before = last.get(key)
    if (before && said(before) === said(r) && r.observedAt - before.observedAt < WINDOW_MS) return false
    last.set(key, r)
    return true
  })
}

const said = ({ reputation, tags, country, text, wellKnown }: Report): string =>
  JSON.stringify([reputation, tags, country, text, wellKnown])
