// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is text of the product.
import type { Fault } from '../fault.ts'

/** Something is lost, there twice, or not what the log says. */
export const LOSS: readonly Fault[] = [
  {
    name: 'a rebuild of the tables forgets the relations',
    file: 'pipelines/rebuild/fold.ts',
    text: '    edges: writer.edges,',
    instead: '    edges: [],',
    test: {
      project: 'platform',
      file: 'tests/e2e/operation/rebuilds/replay.test.ts',
      title: 'gives the rows that the job has stored',
    },
  },
  {
    name: 'a rebuild scores by the rules of the start of the log',
    file: 'pipelines/rebuild/fold.ts',
    text: 'const final = rulesAt(timeline, partition, to)',
    instead: 'const final = rulesAt(timeline, partition, from)',
    test: {
      project: 'platform',
      file: 'tests/e2e/operation/rebuilds/replay.test.ts',
      title: 'a rebuild follows those that held where',
    },
  },

  {
    name: 'the rows of entities are stored before the history that they follow from',
    file: 'pipelines/jobs/intelligence/observation-writer.ts',
    text: '    // Side by side: what a retry computes depends on none of them.\n',
    instead: '    await store.entities(given.rows, redelivered ? `${token}:${randomUUID()}` : token)\n',
    test: { project: 'platform', file: 'tests/chaos/fault-points.test.ts', title: 'a job that dies before history' },
  },
  {
    name: 'the position of a consumer moves before its batch is done',
    file: 'connectors/log/embedded/partition-loop.ts',
    text: '      const note = range.intent?.note ?? (await begin(loop, from, to))',
    instead: `      const note = range.intent?.note ?? (await begin(loop, from, to))
      await commit({ offset: to, intent: null })`,
    test: { project: 'platform', file: 'tests/chaos/kill.test.ts', title: 'kills under load lose nothing' },
  },

  {
    name: 'a claim of the lists has a token of its own, so that a late write is accepted',
    file: 'connectors/history/feeds-out/claim.ts',
    text: 'await put(version, tokenAfter(of, after, nth))',
    instead: 'await put(version, tokenAfter(of, version, nth))',
    test: {
      project: 'platform',
      file: 'tests/contract/history/feeds.test.ts',
      title: 'a process that is stopped .* adds nothing',
    },
  },
  {
    name: 'what is relayed is marked before it is sent',
    file: 'pipelines/jobs/accounts/outbox-relay.ts',
    text: `  await log.send(byTopic(records))
  await outbox.markPublished(
    records.map(({ seq }) => seq),
    now(),
  )`,
    instead: `  await outbox.markPublished(
    records.map(({ seq }) => seq),
    now(),
  )
  await log.send(byTopic(records))`,
    test: { project: 'platform', file: 'tests/contract/outbox/embedded.test.ts', title: 'a process that is killed' },
  },
  {
    name: 'an attempt of a bulk request that lost its key still stores how far it came',
    file: 'connectors/postgres/intelligence/bulk-request-store.ts',
    text: "\n      .where('attempt', '=', attempt)",
    instead: '',
    test: { project: 'platform', file: 'tests/contract/database/work.test.ts', title: 'one that lost it stores' },
  },
  {
    name: 'a body that is sent again under its key is appended again from the start',
    file: 'api/intelligence/services/bulk/repeat.ts',
    text: 'while (mark.bytes < request.bytes) {',
    instead: 'while (mark.bytes + PORTION < request.bytes) {',
    test: {
      project: 'unit',
      file: 'tests/unit/api/intelligence/routes/bulk.test.ts',
      title: 'a body with a key has the same ids again',
    },
  },
  {
    name: 'of the dead letters that several handlers wrote of a record one is listed',
    file: 'connectors/operations/dead-letters/entries.ts',
    text: "${origin.at}/${handler ?? ''}/",
    instead: '${origin.at}/',
    test: {
      project: 'platform',
      file: 'tests/contract/dead-letters/embedded.test.ts',
      title: 'letters of several handlers about one record',
    },
  },
  {
    name: 'a replay leaves out when the record was first appended',
    file: 'schemas/operation/dead-letter.ts',
    text: '[REPLAYED_TIME]: headers[REPLAYED_TIME] ?? String(origin.at)',
    instead: '[REPLAYED_TIME]: headers[REPLAYED_TIME] ?? String(Date.now())',
    test: {
      project: 'platform',
      file: 'tests/contract/dead-letters/embedded.test.ts',
      title: 'a replay puts the originals back as they were',
    },
  },

  {
    name: 'the breaker opens one dead record early',
    file: 'pipelines/runtime/breakers/breaker-window.ts',
    text: 'seen === WINDOW && dead > MAX_DEAD',
    instead: 'seen === WINDOW && dead >= MAX_DEAD',
    test: {
      project: 'unit',
      file: 'tests/unit/pipelines/runtime/breakers/breaker-window.test.ts',
      title: 'do not open it',
    },
  },
  {
    name: 'a tail that goes on where another one ended leaves out a record',
    file: 'connectors/log/start-tail.ts',
    text: 'starts.set(partition, offset)',
    instead: 'starts.set(partition, offset + 1)',
    test: {
      project: 'platform',
      file: 'tests/contract/log/embedded.test.ts',
      title: 'a tail that begins where another one ended',
    },
  },

  {
    name: 'a stream that begins late is not told what came while the places were looked up',
    file: 'api/live/services/following/hub.ts',
    text: '      await placed.promise\n',
    instead: '      if (!isFollowing) return\n',
    test: {
      project: 'unit',
      file: 'tests/unit/api/live/services/following/hub.test.ts',
      title: 'what arrives before the places are known',
    },
  },
  {
    name: 'a document of STIX loses relations that were stated without a type',
    file: 'api/intelligence/services/entity/entity-stix.ts',
    text: 'const types = relationships.length === 0 ? [null] : relationships',
    instead: 'const types = relationships',
    test: {
      project: 'platform',
      file: 'tests/e2e/exchange/collections.test.ts',
      title: 'a relation that another entity stated',
    },
  },

  {
    name: 'a page of a TAXII collection begins with the last object of the one before',
    file: 'connectors/history/sql/feeds-out/collections-sql.ts',
    text: "added > ${b.bind(after, 'UInt64')}",
    instead: "added >= ${b.bind(after, 'UInt64')}",
    test: { project: 'platform', file: 'tests/e2e/exchange/collections.test.ts', title: 'dates added rise strictly' },
  },
  {
    name: 'the release lacks the views of the store',
    file: 'infra/release/build.ts',
    text: "  'infra/clickhouse/views',\n",
    instead: '',
    test: {
      project: 'platform',
      file: 'tests/e2e/operation/package.test.ts',
      title: 'the packed release installs',
      says: 'Error: the platform ended with 1',
    },
  },
]
