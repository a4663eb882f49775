import { keptAttributes } from '../../../schemas/intelligence/observations/verdict.ts'
import { entityKey } from '../../../schemas/intelligence/state/entity-state.ts'
import type { Edge, HistoryRecord, Retraction } from '../../../schemas/intelligence/state/stored.ts'
import { terms } from '../../../schemas/intelligence/state/terms.ts'
import type { BlockWriter } from '../native/native-table.ts'
import type { Gathered, History, ObservationStore } from '../port.ts'
import { type AudienceRow, groupsOfAudiences } from '../sql/queries/audiences.ts'
import { currentRows, type EntityRow, rowsByKey } from '../sql/queries/entities-queries.ts'
import { BATCH, historyOffsets, markOf } from '../sql/queries/present.ts'
import { blocks, entitiesBlock, historyBlock, rowOfEntity } from './blocks-store.ts'
import { rowsOfKeys } from './rows-by-key.ts'

/** Blocks of one table whose memory waits for the next batch, beside one for each partition that is under way. */
const KEPT = 2
/** So long after the last write the memory is given back, in milliseconds: blocks of 40,000 rows are 50 MB each. */
const KEPT_MS = 2_000

/**
 * Writes of one table of which several are gathered at the same time: each has a block of its own, and the memory of a
 * block that was stored is used again. One that failed is left to the garbage collection.
 */
export function gatheredWrites<Row, Columns>(
  history: Pick<History, 'insert'>,
  name: string,
  make: () => BlockWriter<Columns>,
  columnsOf: (row: Row) => Columns,
) {
  const free: BlockWriter<Columns>[] = []
  const writers = new WeakMap<object, BlockWriter<Columns>>()
  let givingBack: NodeJS.Timeout | undefined

  function keep(writer: BlockWriter<Columns>): void {
    if (free.length < KEPT) free.push(writer)
    givingBack ??= setTimeout(() => free.splice(0), KEPT_MS).unref()
    givingBack.refresh()
  }

  function gather(): Gathered<Row> {
    const writer = free.pop() ?? make()
    const rows: Gathered<Row> = {
      get length() {
        return writer.rows
      },
      push: (row) => writer.add(columnsOf(row)),
    }
    writers.set(rows, writer)
    return rows
  }

  function listed(rows: Iterable<Row>): Gathered<Row> {
    const gathered = gather()
    for (const row of rows) gathered.push(row)
    return gathered
  }

  return {
    gather,
    /** What `gather` gave is written once. */
    async write(rows: readonly Row[] | Gathered<Row>, token: string): Promise<void> {
      const gathered = Array.isArray(rows) ? listed(rows) : rows
      const writer = writers.get(gathered)
      if (writer === undefined) throw new TypeError(`these rows of ${name} were gathered elsewhere, or are written`)
      writers.delete(gathered)
      const block = writer.finish()
      await history.insert(name, block, token)
      writer.recycle(block)
      keep(writer)
    },
  }
}

/** Audiences of one query: numbers of twenty digits in its parameters. */
const AUDIENCES_A_QUERY = 500
const MAX_STORED = 100_000

/** What the observation job keeps, as blocks of the history store. */
export function observationStore(history: History): ObservationStore {
  const tables = blocks()
  const records = gatheredWrites(history, 'history', historyBlock, historyRow)
  const entities = gatheredWrites(history, 'entities', entitiesBlock, rowOfEntity)
  /** Audiences never change: those that this process has stored are not stored again. */
  const stored = new Set<bigint>()

  async function send(name: 'audiences' | 'associations' | 'counts' | 'retractions', token: string): Promise<void> {
    const block = tables[name].finish()
    await history.insert(name, block, token)
    tables[name].recycle(block)
  }

  return {
    gather: () => ({ history: records.gather(), rows: entities.gather() }),

    async rowsOf(entityIds) {
      const rows = await rowsOfKeys<EntityRow>(history, entityIds, rowsByKey)
      if (rows.length === 0) return []
      const wanted = new Set(entityIds)
      return currentRows(rows.filter((row) => wanted.has(row.entity_id)))
    },

    async groupsOf(audiences) {
      const found = []
      for (let i = 0; i < audiences.length; i += AUDIENCES_A_QUERY)
        found.push(await history.query<AudienceRow>(groupsOfAudiences(audiences.slice(i, i + AUDIENCES_A_QUERY))))
      return new Map(found.flat().map(({ audience, groups }) => [BigInt(audience), groups]))
    },

    async audiences(groupsOf, token) {
      const fresh = [...groupsOf].filter(([audience]) => !stored.has(audience))
      for (const [audience, groups] of fresh) tables.audiences.add({ audience, groups })
      await send('audiences', token)
      if (stored.size + fresh.length > MAX_STORED) stored.clear()
      for (const [audience] of fresh) stored.add(audience)
    },

    history: records.write,

    async associations(edges, token) {
      for (const edge of edges) for (const row of associationRows(edge)) tables.associations.add(row)
      await send('associations', token)
    },

    async counts(deltas, token, earlier) {
      if (deltas.length === 0) return
      for (const { audience, dim, malicious, key, n } of deltas)
        tables.counts.add({ audience, dim, malicious: malicious ? 1 : 0, key, n })
      tables.counts.add(mark(token, 1))
      if (earlier !== undefined) tables.counts.add(mark(earlier, -1))
      await send('counts', token)
    },

    async retractions(rows, token) {
      for (const row of rows) tables.retractions.add(retractionRow(row))
      await send('retractions', token)
    },

    entities: entities.write,

    async present(records, token) {
      const [marks] = await history.query<{ n: string }>(markOf(token))
      const counts = Number(marks?.n) > 0
      if (records.length === 0) return { history: new Set(), counts }
      const found = await history.query<{ offset: string }>(historyOffsets(records))
      return { history: new Set(found.map((row) => Number(row.offset))), counts }
    },
  }
}

const mark = (token: string, n: 1 | -1) => ({ audience: 0n, dim: BATCH, malicious: 0, key: token, n })

/** A relation as its two rows of `associations`, one for each end. */
export const associationRows = ({ entityId, relatedId, mode, relationship, audience, seenAt, offset }: Edge) => {
  const stated = { mode, relationship: relationship ?? '', audience }
  const common = { ...stated, first_seen: seenAt, last_seen: seenAt, first_version: offset + 1 }
  const outgoing = { key: entityKey(entityId), entity_id: entityId, related_id: relatedId, outgoing: 1 }
  const incoming = { key: entityKey(relatedId), entity_id: relatedId, related_id: entityId, outgoing: 0 }
  return [
    { ...outgoing, ...common },
    { ...incoming, ...common },
  ]
}

/** As a row of `retractions`. */
export const retractionRow = ({ entityId, audience, source, from, to, at, offset, trust }: Retraction) => ({
  key: entityKey(entityId),
  entity_id: entityId,
  audience,
  source,
  trust,
  first: from,
  last: to,
  at,
  log_offset: offset,
})

/** A record as a row of `history`. */
export const historyRow = ({ observation: o, partition, offset, audience, accuracy, wellKnown }: HistoryRecord) => {
  const attributes = keptAttributes(o)
  return {
    ts: o.observedAt,
    id: o.id,
    digest: o.entityId,
    type: o.type,
    value: o.value,
    user_id: o.userId,
    source: o.source,
    source_kind: o.sourceKind,
    kind: o.kind,
    reputation: o.reputation ?? 0,
    stated: o.reputation === null ? 0 : 1,
    accuracy,
    tags: o.tags,
    attributes,
    audience,
    well_known: wellKnown ? 1 : 0,
    // That a record is a match is nothing to search for.
    terms: terms(o.type, o.value, o.kind === 'match' ? {} : attributes),
    submission_id: o.submissionId,
    topic_partition: partition,
    log_offset: offset,
  }
}
