/** What the history store promises, and the test file beside this one that holds it to each promise. */
export const PROMISES: Readonly<Record<string, string>> = {
  'writes/migrations.ts': 'migrations run once, in order, and refuse a file that was changed',
  'writes/inserts.ts': 'a block is stored once for each token, whole or not at all',
  'writes/dedupe-window.ts': 'a range that is begun again is stored once, even after its tokens were forgotten',
  'writes/generations.ts': 'tables are built beside the live ones and promoted in one step',
  'writes/recount.ts': 'counters that are off are found and corrected while records are written',
  'writes/rescore.test.ts':
    'other scoring rules are applied to every entity while records are written, and told where they show',
  'match/store.ts':
    'telemetry is kept as a ledger that adds up once, matches are read by their readers, and withdrawn with their entity',
  'match/present.ts': 'what an event meets is verified by the newest rows, read no further than they are shown',
  'writes/feeds-out.ts': 'lists of feeds are filled, stepped, merged, compared and checked exactly',
  'writes/feed-lists.ts': 'readers of feeds are given one whole list with its sequence, and deltas without gaps',
  'writes/feed-claims.ts': 'one process writes the lists of feeds, and what another one has under way is refused',
  'writes/feed-renewals.ts': 'a list that is copied without what went is the same list with the same deltas',
  'writes/collections.ts':
    'collections of feeds are pages of versions in the order of their dates, and what another process has under way is refused',
  'writes/collection-renewals.ts':
    'a claim of a collection is renewed once half of its time has passed, by what its reader may read alone, and not before',
  'audit/store.ts': 'an audit record is read once and whole, by any filter, newest first and page by page',
  'reads/queries.ts': 'a query has bounds, and its failures are named',
  'reads/entities/columns.ts': 'what stands at one place of columns that are read as arrays is one row',
  'reads/entities/entity-views.ts': 'an entity is shown as the reports that its reader may read make it',
  'reads/entities/shown.ts': 'a record that many callers share a statement for is what each would have alone',
  'reads/entities/told-lists.ts':
    'a list with what it does not show tells of each item what the reader of its feed may read, and no more',
  'reads/entities/matches.ts':
    'a match that is told moves when its readers see that the entity was seen, and nothing else',
  'reads/tagged.ts': 'a search of entities by tag finds and counts what the entities alone say',
  'reads/covering.ts': 'an entity is shown with the networks and well-known marks that cover it',
  'reads/lookup.ts': 'look-ups, evidence and scores over time follow from the reports that the reader may read',
  'writes/retraction.ts':
    'what was taken back is in no view, history says so, and a report that comes meanwhile loses nothing',
  'reads/entities/relationships.ts':
    'every reader is told each relationship type that it may read of a link, which stays one link, and a hub is cut and says so',
  'reads/entities/links.ts': 'a link is new to a reader at the first record that it may read and that names it',
  'reads/fading.ts': 'what is due to fade is found by time, without reading all',
  'reads/overlaps.ts': 'entities in several audiences of a reader count once, however many they are',
  'reads/recent.ts': 'the feed of recent entities is complete and current',
  'reads/sharded-counts.ts': 'counters that lie on several shards are those of one table',
  'reads/sources.ts': 'scorecards of sources are those of the model',
  'reads/together.ts': 'simple searches that share a statement find what each finds alone',
  'reads/search.ts': 'each clause of a search finds its records, in order, page by page',
  'reads/selectors.ts': 'a selector holds for exactly what its search finds',
  'reads/search-oracle.test.ts': 'random searches find what docs/use/search-reference.md says',
  'reads/aggregate.ts': 'aggregations are those of the model',
  'engine/engine.test.ts': 'the embedded engine answers like a server, and ends with its process',
  'engine/engine-tokens.test.ts': 'our reading of SQL and that of the engine agree on where a token ends',
  'engine/prepared-sessions.test.ts': 'a statement finds nothing of an earlier one in the session that it gets',
  'engine/confined-sessions.test.ts': 'the engine confines a session of a SQL user by itself',
  'analysts/views.ts': 'a SQL user sees the rows of its groups, through the views',
  'analysts/hostile.ts': 'no statement shows a SQL user more, or changes anything',
  'analysts/clients.ts': 'public JDBC and Python clients work as they are',
  'analysts/first-asked.ts': 'what BI tools ask first is answered, and tells nothing of others',
}
