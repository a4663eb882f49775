import { onOneStore } from '../../builders/history/shared.ts'
import { countedAggregations } from './reads/aggregate.ts'
import { fadingRows } from './reads/fading.ts'
import { boundedQueries } from './reads/queries.ts'
import { searches } from './reads/search.ts'
import { selectorsAndSearches } from './reads/selectors.ts'
import { shardedCounts } from './reads/sharded-counts.ts'
import { taggedSearches } from './reads/tagged.ts'
import { searchesTogether } from './reads/together.ts'

/** Searches and counts of what is kept, on one engine, each part with a database of its own. */
onOneStore({
  'history queries': boundedQueries,
  search: searches,
  'selectors and searches': selectorsAndSearches,
  'searches of entities by tag': taggedSearches,
  aggregations: countedAggregations,
  'simple searches at the same time': searchesTogether,
  'rows whose score fades': fadingRows,
  'counters on several shards': shardedCounts,
})
