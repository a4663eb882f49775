import { availableParallelism } from 'node:os'
import type { Route } from '../http/route.ts'
import type { ApiConfig, CommonPorts } from '../ports.ts'
import type { IntelligencePorts } from './ports.ts'
import { analyticsRoutes } from './routes/analytics.ts'
import { bulkRoutes } from './routes/bulk.ts'
import { commentRoutes } from './routes/comments-routes.ts'
import { entityRoutes } from './routes/entities-routes.ts'
import { entityStixRoutes } from './routes/entity-stix.ts'
import { ingestRoutes } from './routes/ingest.ts'
import { relationRoutes } from './routes/relations-routes.ts'
import { reputationRoutes } from './routes/reputation-routes.ts'
import { scoreHistoryRoutes } from './routes/score-history-routes.ts'
import { aroundRoutes } from './routes/search/around-routes.ts'
import { entitySearchRoutes } from './routes/search/entity-search-routes.ts'
import { historyRoutes } from './routes/search/history-routes.ts'
import { sourceRoutes } from './routes/sources-routes.ts'
import { verdictRoutes } from './routes/verdicts-routes.ts'
import { analytics } from './services/analytics/analytics.ts'
import { overlaps } from './services/analytics/overlaps.ts'
import { recent } from './services/analytics/recent.ts'
import { sharedAnalytics } from './services/analytics/shared.ts'
import { sourceScorecards } from './services/analytics/sources-service.ts'
import { bulkService } from './services/bulk/bulk.ts'
import { commentService } from './services/entity/comments-service.ts'
import { coverings } from './services/entity/covering.ts'
import { indexedCoverings } from './services/entity/covering-index.ts'
import { entityDetails } from './services/entity/details.ts'
import { entityLookup } from './services/entity/entity-lookup.ts'
import { entityStix } from './services/entity/entity-stix.ts'
import { entityViews } from './services/entity/entity-views.ts'
import { evidenceOf } from './services/entity/evidence-service.ts'
import { relationGraph } from './services/entity/relation-graph.ts'
import { relations } from './services/entity/relations-service.ts'
import { scoreHistoryOf } from './services/entity/score-history-service.ts'
import { shownEntities } from './services/entity/shown-entities.ts'
import { readers } from './services/readers.ts'
import { associateService } from './services/report/associate.ts'
import { clearMarkService } from './services/report/clear-mark.ts'
import { ingestService } from './services/report/ingest.ts'
import { verdictService } from './services/report/verdict-report.ts'
import { reporters } from './services/reporters.ts'
import { reputations } from './services/reputation/reputation.ts'
import { reputationStream } from './services/reputation/reputation-stream.ts'
import { aroundValues } from './services/search/around-service.ts'
import { historyMemory } from './services/search/history-memory.ts'
import { historySearch } from './services/search/history-search.ts'
import { boundedSearches } from './services/search/search-bounds.ts'

/** How long a search waits for its turn, whoever is before it; how many do is a bound of memory (ADR 272). */
const QUEUE = { waitMs: 5_000, waiting: 1_000, waitingOfOne: 250, threads: Math.max(1, availableParallelism() >> 1) }

/**
 * Two light searches at once, each on half of the cores: a search over all records leaves room for the next one, and both
 * leave room for other requests. Heavy searches run one by one, on one thread of lower priority (ADR 272). The store
 * stops a query after 5 s.
 */
const SEARCHES = {
  light: { ...QUEUE, atOnce: 2, atOnceOfOne: 2, nice: 0 },
  heavy: { ...QUEUE, atOnce: 1, atOnceOfOne: 1, threads: 1, nice: 5 },
  milliseconds: 8_000,
}

/** Routes of reports, and of searches, look-ups and analytics over them. */
export function intelligenceArea(
  ports: CommonPorts & IntelligencePorts,
  config: Pick<ApiConfig, 'trustedProxies'>,
): Route[] {
  const { history, scoring, now } = ports
  const groups = readers(history, now)
  const names = reporters(ports.team)
  const folded = overlaps(history, now, { scoring })
  const entities = entityViews(history, scoring)
  const networks = indexedCoverings(ports.lookups, scoring, coverings(history, entities, now))
  const related = relations(history, entities)
  const memory = historyMemory(history, now)
  const run = boundedSearches(history, SEARCHES)
  const looked = { readers: groups, source: ports.lookups, reputations: reputations(scoring) }
  const proxied = config.trustedProxies > 0
  const ingest = { ...ports, metrics: ports.metrics.instruments }
  return [
    ...verdictRoutes(verdictService({ ...ingest, readers: groups, entities }), now),
    ...ingestRoutes(
      ingestService(ingest),
      associateService({ ...ingest, readers: groups, entities }),
      clearMarkService({ ...ingest, readers: groups, entities }),
    ),
    ...bulkRoutes(bulkService(ingest), proxied),
    ...analyticsRoutes({
      readers: groups,
      ...sharedAnalytics(analytics(history, folded), recent(ports, folded, scoring)),
      now,
    }),
    ...sourceRoutes({ readers: groups, scorecards: sourceScorecards(history, now) }),
    ...historyRoutes({
      readers: groups,
      reporters: names,
      search: historySearch(history, networks, memory),
      memory,
      run,
      now,
    }),
    ...aroundRoutes({
      readers: groups,
      run,
      around: aroundValues({ entities, lookups: ports.lookups, networks, geo: ports.geo, scoring }),
    }),
    ...entitySearchRoutes({ readers: groups, run, lookups: ports.lookups, networks, scoring, now }),
    ...entityRoutes({
      readers: groups,
      shown: shownEntities(ports.lookups, scoring),
      networks,
      lookup: entityLookup(ports.lookups, networks, scoring),
      evidence: evidenceOf(history, entities),
      reporters: names,
      now,
    }),
    ...reputationRoutes({ ...looked, stream: reputationStream({ ...looked, now }), proxied }),
    ...entityStixRoutes({ readers: groups, stix: entityStix(history, entities, related) }),
    ...scoreHistoryRoutes({ readers: groups, scoreHistory: scoreHistoryOf(history, entities), now }),
    ...relationRoutes({
      readers: groups,
      relations: related,
      graph: relationGraph(history, entities),
      details: entityDetails(history, entities, related),
      now,
    }),
    ...commentRoutes(commentService({ ...ports, readers: groups, reporters: names, entities })),
  ]
}
