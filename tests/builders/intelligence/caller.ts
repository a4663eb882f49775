/** What a caller can ask, of a running platform or of the services alone, in the form of the model's answers. */

import { setTimeout as sleep } from 'node:timers/promises'
import { analytics, correctedTop } from '../../../api/intelligence/services/analytics/analytics.ts'
import { overlaps } from '../../../api/intelligence/services/analytics/overlaps.ts'
import { recent } from '../../../api/intelligence/services/analytics/recent.ts'
import { sourceScorecards } from '../../../api/intelligence/services/analytics/sources-service.ts'
import { coverings } from '../../../api/intelligence/services/entity/covering.ts'
import { entityDetails } from '../../../api/intelligence/services/entity/details.ts'
import { entityLookup } from '../../../api/intelligence/services/entity/entity-lookup.ts'
import { entityViews } from '../../../api/intelligence/services/entity/entity-views.ts'
import { evidenceOf } from '../../../api/intelligence/services/entity/evidence-service.ts'
import { relationGraph } from '../../../api/intelligence/services/entity/relation-graph.ts'
import { relations } from '../../../api/intelligence/services/entity/relations-service.ts'
import { scoreHistoryOf } from '../../../api/intelligence/services/entity/score-history-service.ts'
import { readers } from '../../../api/intelligence/services/readers.ts'
import { reputations } from '../../../api/intelligence/services/reputation/reputation.ts'
import { readAdvanced } from '../../../api/intelligence/services/search/advanced.ts'
import { advancedEntities, simpleEntities } from '../../../api/intelligence/services/search/entity-search-service.ts'
import { advancedHistory, historySearch } from '../../../api/intelligence/services/search/history-search.ts'
import { sortBy } from '../../../api/intelligence/services/search/record-fields.ts'
import { boundedSearches } from '../../../api/intelligence/services/search/search-bounds.ts'
import type { History } from '../../../connectors/history/port.ts'
import { storeLookups, storeSource } from '../../../connectors/lookups/store-lookups.ts'
import { builtIn } from '../../../schemas/intelligence/scoring/rules.ts'
import { pointsBetween } from '../../../schemas/intelligence/scoring/score-history.ts'
import type { Platform } from '../platform/platform.ts'
import { ALONE, UNHURRIED } from '../search/unhurried.ts'
import { byText, inTurn, type ReaderModel } from './reader-model.ts'

/** Entities with a tag, newest first: none of them, the first three, or all. */
const taggedBody = (tag: string) => ({ query: { filter: [{ term: { tags: tag } }] } })
const TAGGED_LIMITS = [0, 3, 1000] as const

export type Answers = { [Q in keyof ReaderModel]: (...given: Parameters<ReaderModel[Q]>) => Promise<unknown> }

// biome-ignore lint/suspicious/noExplicitAny: an answer as JSON, of which some fields are looked at
type Json = any

const of = {
  overview: (b: Json) => ({
    total_entities: b.total_entities,
    malicious_count: b.malicious_count,
    by_type: b.by_type,
    by_reputation: b.by_reputation,
    by_accuracy: b.by_accuracy,
    top_tags: b.top_tags,
    seen: b.timeline.reduce((sum: number, point: { count: number }) => sum + point.count, 0),
  }),
  recent: (b: Json) =>
    b.items.map(({ value, reputation, accuracy, tags }: Json) => ({ value, reputation, accuracy, tags })),
  sources: (b: Json) =>
    b.items
      .map(({ source, kind, mine: _, freshness: __, volume, ...figures }: Json) => ({
        source: `${kind}:${source ?? ''}`,
        ...figures,
        volume,
      }))
      .sort(byText),
  lookup: (b: Json) =>
    b.results.flatMap(({ value: given, entities }: Json) =>
      entities.map(({ type, attributes, reputation, accuracy, tags }: Json) => ({
        value: attributes[type] === given ? given : `${attributes[type]} for ${given}`,
        reputation,
        accuracy,
        tags,
      })),
    ),
  reputation: (b: Json) =>
    b.items.map(({ value, known, reputation, accuracy, tags, by }: Json) => ({
      value,
      known,
      reputation,
      accuracy,
      tags,
      by: by?.value ?? null,
    })),
  evidence: (b: Json) => ({
    basis: b.basis,
    reputation: b.reputation,
    claims: b.claims
      .map(({ reputation, weight, visibleBy }: Json) => ({ said: reputation, weight, visibleBy }))
      .sort(byText),
  }),
  scoreHistory: (b: Json) => b.map(({ at, reputation, claims }: Json) => ({ at: Date.parse(at), reputation, claims })),
  /** What is missing has no answer. */
  relations: (b: Json) => b && (b.items === b.results.length ? b.results.map(relationOf).sort(newest) : b.items),
  graph: (b: Json) =>
    b && {
      nodes: b.nodes.map((n: Json) => `${n.level} ${n.id} ${n.reputation}`).sort(),
      relations: b.relations
        .map((r: Json) => `${r.source} ${r.target} ${r.mode} ${r.relationships} ${Date.parse(r.lastSeen)}`)
        .sort(),
    },
  details: (b: Json) =>
    b && {
      value: b.value,
      reputation: { current: b.reputation.current, best: b.reputation.best, worst: b.reputation.worst },
      accuracy: b.accuracy.value,
      tags: b.tags,
      sources: b.sources,
      records: b.activity.reduce((sum: number, point: { count: number }) => sum + point.count, 0),
      latest: b.latest_associations.length,
    },
  search: (b: Json) => ({
    records: inTurn(
      recordsOf(b).map((told: Json, i: number) => ({ at: Date.parse(b.results[i]['@timestamp']), told })),
    ),
    coveredBy: (b.coveredBy ?? []).map(({ value, reputation, accuracy, tags }: Json) => ({
      value,
      reputation,
      accuracy,
      tags,
    })),
  }),
  entities: (b: Json) =>
    (b.results ?? [])
      .map(({ type, attributes, reputation, accuracy, tags }: Json) => ({
        value: attributes[type],
        reputation,
        accuracy,
        tags,
      }))
      .sort(byText),
  everyEntity: (b: Json) => ({
    shown: of.entities(b),
    reputations: bucketsOf(b.aggregations.reputations),
    tags: bucketsOf(b.aggregations.tags),
  }),
  tagged: (b: Json) => ({ items: b.items ?? 0, shown: (b.results ?? []).map((r: Json) => r.attributes[r.type]) }),
  /** Records of one moment stand in an order of their own. */
  advanced: (b: Json) => ({
    records: recordsOf(b).sort(byText),
    reputations: bucketsOf(b.aggregations?.reputations ?? { buckets: [] }),
  }),
}

const recordsOf = (b: Json) =>
  (b.results ?? []).map(({ userID, reputation, tags, visibleBy, retracted = false }: Json) => ({
    userID,
    reputation,
    tags,
    visibleBy,
    retracted,
  }))

const relationOf = (r: Json) => ({
  source: r.entityID,
  target: r.relatedEntityID,
  mode: r.mode,
  relationships: r.relationships,
  first: Date.parse(r['@timestamp']),
  last: Date.parse(r.lastSeen),
  visibleBy: r.visibleBy,
  value: r.value,
  reputation: r.reputation,
  accuracy: r.accuracy,
})

/** Ties in an order of their own: that of the answer is by the other end. */
const newest = (a: Json, b: Json) => b.last - a.last || (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)

const bucketsOf = ({ buckets }: Json): { key: string; count: number }[] =>
  buckets.map(({ key, doc_count }: Json) => ({ key: String(key), count: doc_count }))

/** All current entities, and what they add up to. */
const EVERY = {
  aggs: { reputations: { terms: { field: 'reputation' } }, tags: { terms: { field: 'tags', size: 100 } } },
}
const advancedBody = (word: string | null) => ({
  ...(word === null ? {} : { query: { must: [{ match: { 'attributes.text': word } }] } }),
  aggs: { reputations: { terms: { field: 'reputation' } } },
})

/** Tries of a search while others have every place. */
const TRIES = 20
const BUSY_MS = 500

/** Over HTTP, as this caller. What found no place among others is asked again. */
export function overHttp(platform: Pick<Platform, 'ask'>, headers: Record<string, string> | null): Answers {
  /** Nothing that is there to see is an answer, too. */
  const ask = async (path: string, body?: object) => {
    for (let tries = 1; ; tries++) {
      const answer = await platform.ask(path, body, headers)
      if (answer.status === 200 || answer.status === 404) return answer
      if (![429, 503].includes(answer.status) || tries === TRIES)
        throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
      await sleep(BUSY_MS)
    }
  }
  const get = async (path: string) => {
    const { status, body } = await ask(`/api/analytics/v1/${path}`)
    if (status !== 200) throw new Error(`${path}: ${status} ${JSON.stringify(body)}`)
    return body
  }
  const about = async (path: string) => {
    const { status, body } = await ask(path)
    return status === 404 ? null : body
  }
  const searched = (path: string, body: object) => ask(`/api/search/v1/entities/${path}`, body)
  const entities = (kind: string, body: object) => searched(`${kind}?limit=1000`, body)
  return {
    relations: async (id) => of.relations(await about(`/api/search/v1/entity/${id}/relations?limit=1000`)),
    graph: async (id) => of.graph(await about(`/api/analytics/v1/entity/${id}/relations?levels=2&limit=500`)),
    details: async (id) => of.details(await about(`/api/analytics/v1/entity/${id}/details`)),
    overview: async () => of.overview(await get('overview?days=2')),
    recent: async (m) => of.recent(await get(`recent?limit=100&malicious_only=${m}`)),
    attribution: async (m) => (await get(`attribution?malicious_only=${m}`)).by_country,
    lookup: async (values) => of.lookup((await searched('lookup', { values })).body),
    reputation: async (values) => of.reputation((await ask('/api/search/v1/reputation', { values })).body),
    sources: async () => of.sources(await get('sources?limit=1000')),
    evidence: async (id, at) => {
      const { status, body } = await ask(`/api/search/v1/entity/${id}/evidence?at=${at}`)
      return status === 404 ? null : of.evidence(body)
    },
    scoreHistory: async (id, from, to, points) =>
      of.scoreHistory(
        (await about(`/api/search/v1/entity/${id}/score-history?from=${from}&to=${to}&points=${points}`)) ?? [],
      ),
    entities: async (query) => of.entities((await entities('simple', { query })).body),
    everyEntity: async () => of.everyEntity((await entities('advanced', EVERY)).body),
    tagged: async (tag) =>
      Promise.all(
        TAGGED_LIMITS.map(async (limit) => {
          return of.tagged((await searched(`advanced?limit=${limit}`, taggedBody(tag))).body)
        }),
      ),
    search: async (query) => {
      const { status, body } = await searched('history/simple?limit=1000', { query })
      const found = of.search(body)
      const { length } = found.records
      const whole = length === 0 ? status === 404 : status === 200 && body.items === length
      return whole ? found : `${status} with ${body.items} records`
    },
    advanced: async (word) => {
      const { status, body } = await searched('history/advanced?limit=1000', advancedBody(word))
      const found = of.advanced(body)
      const whole = found.records.length === 0 ? status === 404 : body.items === found.records.length
      return whole ? found : `${status} with ${body.items} records`
    },
  }
}

/** An answer that was found in two ways, which must agree. */
const both = <T>(one: T, other: T, answer: (b: T) => unknown): unknown =>
  JSON.stringify(one) === JSON.stringify(other) ? answer(one) : { one: answer(one), other: answer(other) }

/** The same questions to the services alone, over a history store whose queries are tampered with. */
export function overServices(history: Pick<History, 'query'>, groups: readonly string[]): Answers {
  const now = Date.now
  const who = readers(history, now)
  const folded = overlaps(history, now)
  const figures = analytics(history, folded)
  const asked = { history, lookups: storeSource(history) }
  const feed = recent(asked, folded)
  /** The same overlaps, folded by the store as very many are. */
  const numerous = overlaps(history, now, { maxRows: 0, rowsAStatement: 5 })
  const storeFigures = analytics(history, numerous, correctedTop(history, numerous, 0))
  const storeFeed = recent(asked, numerous)
  const entities = entityViews(history)
  const networks = coverings(history, entities, now, { all: 0 })
  const found = historySearch(history, networks)
  const lookup = entityLookup(asked.lookups, networks)
  const decided = reputations(builtIn)
  const scorecards = sourceScorecards(history, now)
  const evidence = evidenceOf(history, entities)
  const scores = scoreHistoryOf(history, entities)
  /** The same networks, found as those of very many addresses are. */
  const many = coverings(history, entities, now, { few: 0, all: 0 })
  const run = boundedSearches(history, UNHURRIED)
  const reader = () => who.of(['public', ...groups])
  const first = { limit: 1000, page: 1, sort: '@timestamp', order: 'desc' } as const
  const every = readAdvanced(first, EVERY, { surface: 'entities', now: now() })
  const question = { accuracy: null, reputation: null, source: { includes: [], excludes: [] }, limit: 1000, page: 1 }
  const related = relations(history, entities)
  const graph = relationGraph(history, entities)
  const details = entityDetails(history, entities, related)
  return {
    relations: async (id) =>
      of.relations(await related.page(await reader(), { id, types: null, limit: 1000, page: 1 })),
    graph: async (id) => of.graph(await graph(await reader(), { id, levels: 2, limit: 500 })),
    details: async (id) => of.details(await details(await reader(), id, now())),
    overview: async () => {
      const question = [await reader(), 2, now()] as const
      return both(await figures.overview(...question), await storeFigures.overview(...question), of.overview)
    },
    recent: async (maliciousOnly) => {
      const question = [await reader(), { hours: 24, limit: 100, maliciousOnly }, now()] as const
      return both(await feed(...question), await storeFeed(...question), of.recent)
    },
    attribution: async (m) => {
      const asked = [await reader(), 20, m] as const
      return both(await figures.attribution(...asked), await storeFigures.attribution(...asked), (b) => b.by_country)
    },
    lookup: async (values) => of.lookup(await lookup(await reader(), values)),
    reputation: async (values) =>
      of.reputation({ items: await decided(storeLookups(history), (await reader()).audiences, values) }),
    sources: async () =>
      of.sources(
        await scorecards(await reader(), { own: [], every: false, days: 30, limit: 1000, sort: 'volume' }, 'caller'),
      ),
    evidence: async (id, at) => {
      const told = await evidence(await reader(), id, at, null)
      return told && of.evidence(told)
    },
    scoreHistory: async (id, from, to, points) =>
      of.scoreHistory((await scores(await reader(), id, pointsBetween(from, to, points))) ?? []),
    entities: async (query) =>
      of.entities(await simpleEntities(asked, networks, await reader(), { ...question, query }, every.paging)),
    everyEntity: async () => {
      const { search, paging } = every
      return of.everyEntity(await advancedEntities(asked, await reader(), search, paging))
    },
    tagged: async (tag) =>
      Promise.all(
        TAGGED_LIMITS.map(async (limit) => {
          const question = { ...first, limit }
          const { search, paging } = readAdvanced(question, taggedBody(tag), { surface: 'entities', now: now() })
          return of.tagged(await advancedEntities(asked, await reader(), search, paging))
        }),
      ),
    search: async (query) => {
      const asked = { ...question, query, sort: sortBy('@timestamp', 'desc')! }
      const page = await found.simple(await reader(), asked)
      // A page that is not full is not counted; the totals alone are.
      const { items } = await found.simple(await reader(), { ...asked, limit: 0 })
      if (items !== page.items) return `${items} and ${page.items} records`
      // Over HTTP nothing is told of networks where there is no record.
      if (page.items === 0) return of.search({})
      const { coveredBy } = page
      const again = coveredBy && ((await many.covering(await reader(), [query])).get(query) ?? [])
      if (JSON.stringify(again) !== JSON.stringify(coveredBy)) return 'other networks when many are asked for'
      return page.items === page.results.length ? of.search(page) : `${page.items} records`
    },
    advanced: async (word) => {
      const tell = async (more: object, limit = 1000) => {
        const asked = { limit, page: 1, sort: '@timestamp', order: 'desc' as const }
        const body = { ...advancedBody(word), ...more }
        const { search, paging } = readAdvanced(asked, body, { surface: 'history', now: now() })
        return run(async (store) => advancedHistory(store, await reader(), search, paging), ALONE)
      }
      // Without anything to count, the totals have a query of their own.
      const [page, plain] = [await tell({}), await tell({ aggs: {} }, 0)]
      const whole = page.items === page.results.length && plain.items === page.items
      return whole ? of.advanced(page) : `${page.items} and ${plain.items} records`
    },
  }
}
