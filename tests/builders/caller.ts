/** What a caller can ask, of a running platform or of the services alone, in the form of the model's answers. */

import { analytics } from '../../api/services/analytics.ts'
import { historySearch } from '../../api/services/history-search.ts'
import { overlaps } from '../../api/services/overlaps.ts'
import { readers } from '../../api/services/readers.ts'
import { recent } from '../../api/services/recent.ts'
import { sortBy } from '../../api/services/record-fields.ts'
import type { History } from '../../connectors/history/port.ts'
import type { Platform } from './platform.ts'
import type { ReaderModel } from './reader-model.ts'

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
  search: (b: Json) =>
    (b.results ?? []).map(({ userID, reputation, tags, visibleBy }: Json) => ({ userID, reputation, tags, visibleBy })),
}

/** Over HTTP, as this caller. */
export function overHttp(platform: Pick<Platform, 'ask'>, headers: Record<string, string> | null): Answers {
  const get = async (path: string) => (await platform.ask(`/api/analytics/v1/${path}`, undefined, headers)).body
  return {
    overview: async () => of.overview(await get('overview?days=2')),
    recent: async (m) => of.recent(await get(`recent?limit=100&malicious_only=${m}`)),
    attribution: async (m) => (await get(`attribution?malicious_only=${m}`)).by_country,
    search: async (query) => {
      const { status, body } = await platform.ask(
        '/api/search/v1/entities/history/simple?limit=1000',
        { query },
        headers,
      )
      const found = of.search(body)
      const whole = found.length === 0 ? status === 404 : status === 200 && body.items === found.length
      return whole ? found : `${status} with ${body.items} records`
    },
  }
}

/** The same questions to the services alone, over a history store whose queries are tampered with. */
export function overServices(history: Pick<History, 'query'>, groups: readonly string[]): Answers {
  const now = Date.now
  const who = readers(history, now)
  const folded = overlaps(history, now)
  const figures = analytics(history, folded)
  const feed = recent(history, folded)
  const found = historySearch(history)
  const reader = () => who.of(['public', ...groups])
  const question = { accuracy: null, reputation: null, source: { includes: [], excludes: [] }, limit: 1000, page: 1 }
  return {
    overview: async () => of.overview(await figures.overview(await reader(), 2, now())),
    recent: async (maliciousOnly) =>
      of.recent(await feed(await reader(), { hours: 24, limit: 100, maliciousOnly }, now())),
    attribution: async (m) => (await figures.attribution(await reader(), 20, m)).by_country,
    search: async (query) => {
      const page = await found.simple(await reader(), { ...question, query, sort: sortBy('@timestamp', 'desc')! })
      return page.items === page.results.length ? of.search(page) : `${page.items} records`
    },
  }
}
