/**
 * What a caller should be told, computed from the list of reports alone and without any of the stores: every report the
 * caller may read is looked at again for every question. Slow and short, so that it can be believed.
 */

import { isCoveredBy } from '../../../schemas/intelligence/propagation/coverage.ts'
import { evidence } from '../../../schemas/intelligence/scoring/evidence.ts'
import { score } from '../../../schemas/intelligence/scoring/score.ts'
import { relationModel } from './relation-model.ts'
import { type ModelClaim, shownAs, sourceModel } from './source-model.ts'

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
  /** Entities that this one is said to be related to. */
  links: readonly ModelLink[]
  observedAt: number
  /** No report: what this user said until then to this audience of this entity was taken back. */
  takenBack?: true
}

type Claim = { source: string; reputation: number | null; trust: number; at: number; groups: string[] }
type ModelLink = { mode: 'aggregation' | 'association'; entityId: string; relationship: string | null }

const WINDOW_MS = 3_600_000

const meets = (audience: readonly string[], groups: readonly string[]): boolean =>
  audience.some((group) => group === 'public' || groups.includes(group))

/** One claim per source and audience: the last that was stated, as old as the last sighting. */
function claimsOf(reports: readonly Report[]): Claim[] {
  const claims = new Map<string, Claim>()
  for (const { user, trust, audience, reputation, observedAt: at, takenBack } of reports) {
    const key = `${user} ${audience}`
    if (takenBack) {
      claims.delete(key)
      continue
    }
    const stated = reputation ?? claims.get(key)?.reputation ?? null
    claims.set(key, { source: user, reputation: stated, trust, at, groups: audience })
  }
  return [...claims.values()]
}

/** The same of every entity, as far as scorecards look at it. */
function sourceClaims(reports: readonly Report[]): ModelClaim[] {
  const claimed = [...Map.groupBy(reports, (r) => `${r.entityId} ${r.user} ${r.audience}`).values()]
    .map((all) => all.slice(all.findLastIndex((r) => r.takenBack) + 1))
    .filter((left) => left.length > 0)
  return claimed.map((same) => {
    const { entityId, type, user: source } = same[0]!
    const stated = same.findLast((r) => r.reputation !== null)
    return {
      entityId,
      type,
      source,
      kind: 'user' as const,
      marked: reports.some((r) => r.entityId === entityId && r.wellKnown),
      reputation: stated?.reputation ?? null,
      claimedAt: stated?.observedAt ?? 0,
      at: Math.max(...same.map((r) => r.observedAt)),
      firstSeen: Math.min(...same.map((r) => r.observedAt)),
    }
  })
}

/**
 * Of the reports about one entity those that still say something of it: of each audience what was said since the last
 * moment at which nothing of it was left (ADR 270).
 */
function standing(reports: readonly Report[]): Report[] {
  const since = [...Map.groupBy(reports, (r) => r.audience.join()).values()].map((own) => {
    const sources = new Set<string>()
    let first = 0
    own.forEach(({ user, takenBack }, i) => {
      if (takenBack) sources.delete(user)
      else sources.add(user)
      if (sources.size === 0) first = i + 1
    })
    return own.slice(first)
  })
  return since.flat().sort((a, b) => a.observedAt - b.observedAt)
}

type View = ReturnType<typeof viewOf>

/** Of all readable reports about one entity. */
function viewOf(all: readonly Report[]) {
  const { type, value, entityId } = all[0]!
  const reports = standing(all)
  const times = reports.filter((r) => !r.takenBack).map((r) => r.observedAt)
  const lastSeen = Math.max(...times)
  const claims = claimsOf(reports)
  const { reputation, accuracy, best, worst } = score(type, claims, lastSeen)
  return {
    type,
    value,
    entityId,
    retracted: reports.length === 0,
    firstSeen: Math.min(...times),
    lastSeen,
    reputation: all.some((r) => r.wellKnown) ? Math.max(0, reputation) : reputation,
    accuracy,
    best,
    worst,
    wellKnown: all.some((r) => r.wellKnown),
    sources: new Set(claims.map((c) => c.source)).size,
    tags: [...new Set(reports.flatMap((r) => r.tags))].sort(),
    country: reports.findLast((r) => r.country !== null)?.country ?? null,
    text: reports.findLast((r) => r.text !== null)?.text ?? null,
  }
}

const compare = (a: string, b: string): number =>
  /^-?\d+$/.test(a) && /^-?\d+$/.test(b) ? Number(a) - Number(b) : a < b ? -1 : 1

function buckets(keys: readonly string[]) {
  return [...Map.groupBy(keys, (key) => key)]
    .map(([key, all]) => ({ key, count: all.length }))
    .sort((a, b) => b.count - a.count || compare(a.key, b.key))
}

/** Answers for a caller in these groups; `countryOf` is for addresses of which nobody stated it, `own` is the caller. */
export function readerModel(
  reports: readonly Report[],
  groups: readonly string[],
  countryOf: (ip: string) => string,
  own: readonly string[] = [],
) {
  const readable = reports.filter((r) => meets(r.audience, groups))
  /** What its own route answers, also when every report was taken back: no other knows it then. */
  const known = new Map([...Map.groupBy(readable, (r) => r.entityId)].map(([id, all]) => [id, viewOf(all)]))
  const views: View[] = [...known.values()].filter((v) => !v.retracted)
  const malicious = views.filter((v) => v.reputation < 0)
  const viewById = new Map(views.map((view) => [view.entityId, view]))
  const { relations, around, near } = relationModel(readable, groups, viewById)

  return {
    relations: (id: string) => (known.has(id) ? around(id) : null),
    graph: (id: string) => {
      if (!known.has(id)) return null
      const level = near(id, 2)
      return {
        nodes: [...level].map(([node, n]) => `${n} ${node} ${known.get(node)!.reputation}`).sort(),
        relations: relations
          .filter((r) => level.has(r.source) && level.has(r.target))
          .map((r) => `${r.source} ${r.target} ${r.mode} ${r.relationships} ${r.last}`)
          .sort(),
      }
    },
    details: (id: string) => {
      const view = known.get(id)
      if (view === undefined) return null
      const { value, reputation, best, worst, accuracy, tags, sources } = view
      const records = recorded().filter((r) => r.entityId === id && meets(r.audience, groups))
      return {
        value,
        reputation: { current: reputation, best, worst },
        accuracy,
        tags,
        sources,
        records: records.length,
        latest: Math.min(10, around(id).length),
      }
    },
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
        .map(shownOf),
    attribution: (maliciousOnly: boolean) =>
      buckets(
        (maliciousOnly ? malicious : views)
          .filter((v) => v.type === 'ip' || v.type === 'cidr')
          .map((v) => v.country ?? countryOf(v.value.split('/')[0]!))
          .filter(Boolean),
      ),
    /** How each source does, but for what depends on the time of asking. */
    sources: () => {
      const as = (user: string): string => shownAs('user', user, own)
      const records = recorded().filter((r) => meets(r.audience, groups))
      return sourceModel(sourceClaims(readable), ({ source }) => as(source), 0)
        .map(({ freshness: _, ...figures }) => ({
          ...figures,
          volume: records.filter((r) => as(r.user) === figures.source).length,
        }))
        .sort(byText)
    },
    /** Values that a caller may look up, with their scores, in the order asked. */
    lookup: (values: readonly string[]) =>
      values.flatMap((value) => {
        const view = views.find((v) => v.value === value)
        return view === undefined ? [] : [shownOf(view)]
      }),
    /** Who decides for each of these names and addresses: the value itself, a name above it, or a network around it. */
    reputation: (values: readonly string[]) =>
      values.map((value) => {
        const view = views.find((v) => v.value === value && v.type !== 'cidr')
        const decides = view !== undefined && (view.reputation !== 0 || view.wellKnown)
        const by = decides ? undefined : [...namesOver(value), ...networksOver(value)].find((v) => v.reputation !== 0)
        const { reputation, accuracy, tags } = by ?? view ?? { reputation: 0, accuracy: 0, tags: [] }
        return { value, known: view !== undefined, reputation, accuracy, tags, by: by?.value ?? null }
      }),
    /** The claims about an entity as of `at`: for a time before its last sighting as its records tell them. */
    evidence: (id: string, at: number) => {
      const own = readable.filter((r) => r.entityId === id)
      if (own.length === 0) return null
      const past = own.some((r) => r.observedAt > at)
      const until = (past ? kept(own) : own).filter((r) => r.observedAt <= at)
      const { reputation, claims } = evidence(own[0]!.type, claimsOf(until), at)
      return {
        basis: past ? 'history' : 'claims',
        reputation: until.some((r) => r.wellKnown) ? Math.max(0, reputation) : reputation,
        claims: claims
          .map(({ claim, weight }) => ({
            said: claim.reputation,
            weight,
            visibleBy: claim.groups.filter((group) => group === 'public' || groups.includes(group)),
          }))
          .sort(byText),
      }
    },
    /** What the evidence is worth at each of so many times at equal distances, the last of them `to`. */
    scoreHistory(id: string, from: number, to: number, points: number) {
      return Array.from({ length: points }, (_, i) => {
        const at = Math.round(from + ((i + 1) * (to - from)) / points)
        const told = this.evidence(id, at)
        return told && { at, reputation: told.reputation, claims: told.claims.length }
      }).filter((told) => told !== null)
    },
    /** Current entities by their value, a tag, the country stated last, or a word of the text stated last. */
    entities: (query: string) =>
      views
        .filter((v) => [v.value, v.country, ...v.tags, ...(v.text?.split(' ') ?? [])].includes(query))
        .map(shownOf)
        .sort(byText),
    /** Current entities with a tag, newest first: how many, and none, three or all of them. */
    tagged: (tag: string) => {
      const all = views
        .filter((v) => v.tags.includes(tag))
        .sort((a, b) => b.firstSeen - a.firstSeen || (a.entityId > b.entityId ? -1 : 1))
        .map((v) => v.value)
      return [0, 3, all.length].map((limit) => ({ items: all.length, shown: all.slice(0, limit) }))
    },
    /** All current entities, and how many there are of each score and tag. */
    everyEntity: () => ({
      shown: views.map(shownOf).sort(byText),
      reputations: buckets(views.map((v) => String(v.reputation))),
      tags: buckets(views.flatMap((v) => v.tags)),
    }),
    /**
     * Records of an entity, or with a tag or word, newest first, a repeat of what was kept last being no record; and of an
     * address the networks around it, where it has a record.
     */
    search: (query: string) => {
      const records = recordsOf(query)
      return { records: inTurn(records), coveredBy: records.length === 0 ? [] : networksAround(query) }
    },
    /** Records whose text has the word, in any order, and how often each reputation is among them. */
    advanced: (word: string | null) => {
      const found = recorded().filter(
        (r) => meets(r.audience, groups) && (word === null || (r.text?.split(' ').includes(word) ?? false)),
      )
      return {
        records: found.map(recordOf).sort(byText),
        reputations: buckets(found.map((r) => String(r.reputation ?? 0))),
      }
    },
  }

  /** Names above a name, nearest first. */
  function namesOver(name: string): View[] {
    return views
      .filter((v) => v.type === 'domain' && name.endsWith(`.${v.value}`))
      .sort((a, b) => b.value.length - a.value.length)
  }

  /** Networks around an address, narrowest first. */
  function networksOver(ip: string): View[] {
    const bits = ({ value }: View): number => Number(value.split('/')[1])
    return views
      .filter((v) => v.type === 'cidr' && isCoveredBy({ type: 'ip', value: ip }, v))
      .sort((a, b) => bits(b) - bits(a))
  }

  function networksAround(ip: string) {
    return networksOver(ip).map(({ value, reputation, accuracy, tags }) => ({ value, reputation, accuracy, tags }))
  }

  function recordsOf(query: string) {
    return recorded()
      .filter((r) => meets(r.audience, groups) && [r.value, ...r.tags, ...(r.text?.split(' ') ?? [])].includes(query))
      .reverse()
      .map((r) => ({ at: r.observedAt, told: recordOf(r) }))
  }

  /** What history has: taking back is in the log alone. */
  function recorded(): Report[] {
    return kept(reports).filter((r) => !r.takenBack)
  }

  function recordOf(r: Report) {
    return {
      userID: r.user,
      reputation: r.reputation ?? 0,
      tags: r.tags,
      visibleBy: r.audience.filter((group) => group === 'public' || groups.includes(group)),
      retracted: reports.some(
        (later) =>
          later.takenBack &&
          later.observedAt > r.observedAt &&
          later.entityId === r.entityId &&
          later.user === r.user &&
          later.audience.join() === r.audience.join(),
      ),
    }
  }
}

const shownOf = ({ value, reputation, accuracy, tags }: View) => ({ value, reputation, accuracy, tags })

/** Any order that does not depend on where the items came from. */
export const byText = (a: unknown, b: unknown): number => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)

/** In the order given; those of one moment, which has no order, by their text. */
export function inTurn<Told>(records: readonly { at: number; told: Told }[]): Told[] {
  const turned: Told[] = []
  for (let from = 0; from < records.length; ) {
    const later = records.findIndex(({ at }, i) => i > from && at !== records[from]!.at)
    const to = later === -1 ? records.length : later
    turned.push(
      ...records
        .slice(from, to)
        .map(({ told }) => told)
        .sort(byText),
    )
    from = to
  }
  return turned
}

export type ReaderModel = ReturnType<typeof readerModel>

function kept(reports: readonly Report[]): Report[] {
  const last = new Map<string, Report>()
  return reports.filter((r) => {
    const key = `${r.user} ${r.audience} ${r.entityId}`
    if (r.takenBack) return last.delete(key) || true
    const before = last.get(key)
    if (before && statementKey(before) === statementKey(r) && r.observedAt - before.observedAt < WINDOW_MS) return false
    last.set(key, r)
    return true
  })
}

const statementKey = ({ reputation, tags, country, text, wellKnown }: Report): string =>
  JSON.stringify([reputation, tags, country, text, wellKnown])
