/**
 * The history store: ClickHouse over HTTP, whether a server, a cluster or the embedded engine.
 * `tests/contract/history/promises.ts` names every promise.
 */

import type { SourceKind } from '../../schemas/intelligence/observations/observation.ts'
import type { TypedValue } from '../../schemas/intelligence/propagation/coverage.ts'
import type { EntityState, ScoredRow } from '../../schemas/intelligence/state/entity-state.ts'
import type { CountDelta, Edge, HistoryRecord, Retraction } from '../../schemas/intelligence/state/stored.ts'

/** A question and its bound values; values are never pasted into `sql`. */
export type Query = { sql: string; params: Record<string, unknown> }

/** A column of a block: its name, its ClickHouse type in the block, and the bytes of its values (Native format). */
export type Block = { rows: number; bytes: Buffer }

/** Formats of whole answers: a line of JSON for each row, a line of columns as they are with tabs between, or a file. */
export type StreamFormat = 'JSONCompactEachRow' | 'TabSeparatedRaw' | 'Parquet'

export interface History {
  /** Rows as objects keyed by column. 64-bit integers arrive as strings. Bounded in time and memory. */
  query<Row>(query: Query, signal?: AbortSignal): Promise<Row[]>
  /**
   * The answer to one SELECT as it comes, in a format of ClickHouse; for lists that no process should hold. Bounded in
   * time and in the memory of the store. Throws while it is read when the store fails in the middle: what came before is
   * half an answer.
   */
  stream(query: Query, format: StreamFormat, signal?: AbortSignal): Promise<AsyncIterable<Uint8Array>>
  /**
   * Appends one block as one insert. The same token again is dropped by the table, so a retry must carry the same
   * rows; an empty block is not sent.
   */
  insert(table: string, block: Block, token: string): Promise<void>
  /** A statement without an answer (DDL, rebuilds). */
  command(sql: string, params?: Record<string, unknown>): Promise<void>
  /** The same store, another database of it; closed together with this one. */
  at(database: string): History
  ping(): Promise<void>
  close(): Promise<void>
}

/**
 * Rows of one write, handed over one by one: the store keeps them as the bytes that it sends, so that a batch is no heap
 * of objects (ADR 265). What was not written is dropped with it.
 */
export type Gathered<Row> = { readonly length: number; push(row: Row): unknown }

export type GatheredRows = { history: Gathered<HistoryRecord>; rows: Gathered<EntityState> }

/** What the observation job keeps: each write is one block with a token, so that a retry adds nothing twice. */
export interface ObservationStore {
  /** Empty rows of a batch, each for one call of `history` and of `entities`. */
  gather(): GatheredRows
  /** Current rows, of every audience, of these entities. */
  rowsOf(entityIds: readonly string[]): Promise<EntityState[]>
  /** The groups of those of these audiences that are stored. */
  groupsOf(audiences: readonly bigint[]): Promise<Map<bigint, readonly string[]>>
  audiences(groupsOf: ReadonlyMap<bigint, readonly string[]>, token: string): Promise<void>
  history(records: readonly HistoryRecord[] | Gathered<HistoryRecord>, token: string): Promise<void>
  associations(edges: readonly Edge[], token: string): Promise<void>
  /**
   * Also leaves a mark that says so, in the same block, and takes away that of an earlier token, whose range can not be
   * begun again.
   */
  counts(deltas: readonly CountDelta[], token: string, earlier?: string): Promise<void>
  retractions(rows: readonly Retraction[], token: string): Promise<void>
  entities(rows: readonly EntityState[] | Gathered<EntityState>, token: string): Promise<void>
  /**
   * What is there already of a range that was begun before, however long ago: offsets of its history, all of one
   * partition, and whether its counts were added.
   */
  present(records: readonly HistoryRecord[], token: string): Promise<Present>
}

export type Present = { history: ReadonlySet<number>; counts: boolean }

/** What a slice of the log gives, as it is folded; each table in blocks of its own. */
export interface SliceWriter {
  history: { push(record: HistoryRecord): void }
  edges: { push(edge: Edge): void }
  retractions: { push(retraction: Retraction): void }
  audience(audience: bigint, groups: readonly string[]): void
  entity(row: EntityState): void
  count(delta: CountDelta): void
  /** Resolves once few enough blocks are on their way that more may be added; rejects when one could not be stored. */
  room(): Promise<void>
  /** Sends what is left, and resolves once everything is stored. */
  finish(): Promise<void>
}

/** What is noted of a rebuild beside the tables it fills, so that another process can go on with it. */
export interface ShadowNotes {
  read(): Promise<Map<string, string>>
  write(name: string, value: string): Promise<void>
}

/** A covering mark as its row said it when it was stored (unix milliseconds): whether it holds, or was cleared. */
export type StoredMark = TypedValue & { added: number; version: number; holds: boolean }

/** What the job that floors what lies under covering marks reads (ADR 270). */
export interface PropagationStore {
  /** Covering marks, and cleared ones, that were stored at or after `since`, oldest first, at most `limit`. */
  marks(since: number, limit: number): Promise<StoredMark[]>
  /**
   * Entities that may lie under one of the marks, all of one type: of the next `limit` candidates after the key `after`
   * those of which a row lacks the floor of a covering mark now, or has it now. `next` is where to go on; null at the end.
   */
  page(
    which: 'uncovered' | 'covered',
    marks: readonly TypedValue[],
    after: bigint,
    limit: number,
    signal?: AbortSignal,
  ): Promise<{ entities: TypedValue[]; next: bigint | null }>
}

/** A place among the keys that are to be looked at, in the order of their time (unix milliseconds). */
export type DuePosition = { at: number; key: bigint }

export type DueEntity = TypedValue & { entityId: string }

/** What the job that lets scores fade reads (ADR 269, ADR 266). Times are unix milliseconds; `next` is null at the end. */
export interface FadeStore {
  /** The name of the live tables, and the clock by which they know when a row was stored. */
  tables(signal?: AbortSignal): Promise<{ generation: string; clock: number }>
  /** When a candidate is to be looked at next, after this time; null: none is, unless rows are stored. */
  nextAfter(time: number, signal?: AbortSignal): Promise<number | null>
  /**
   * Entities of which a row is due at `now`: those of the next `limit` candidates after a position, by time. Every row that
   * is due, or was stored when it was due already, after the time of the position is among them.
   */
  dueAfter(
    position: DuePosition,
    now: number,
    limit: number,
    signal?: AbortSignal,
  ): Promise<{ entities: DueEntity[]; next: DuePosition | null }>
  /** The same of all entities by their keys: those after the key `after`, `to` the last. Reads a column of the table. */
  dueBetween(
    keys: { after: bigint; to: bigint },
    now: number,
    limit: number,
    signal?: AbortSignal,
  ): Promise<{ entities: DueEntity[]; next: bigint | null }>
}

/** What a source said of an entity to an audience before a time; unix milliseconds, `claimedAt` 0 for a sighting. */
export type HeldBefore = {
  entityId: string
  audience: bigint
  sourceKind: SourceKind
  reputation: number | null
  claimedAt: number
  at: number
}

export type Reported = { entityId: string; type: string; value: string; audience: bigint; inside: boolean }

/** What of an entity's tags and attributes reports gave that do not count; unix milliseconds, 0: none. */
export type Described = {
  entityId: string
  audience: bigint
  /** Tags that no report gives which counts. */
  tags: string[]
  /** Of each attribute the latest value by reports that count, `kept`, and by those that do not. */
  attributes: { name: string; kept: { value: string; at: number } | null; gone: { value: string; at: number } }[]
}

/** What taking back the reports of a source reads (ADR 270). Times are unix milliseconds. */
export interface RetractionStore {
  /** Whether the source ever reported anything. */
  known(source: string): Promise<boolean>
  /**
   * Entities that it reported in [since, to], a line for each audience, `limit` of them after `after` in their order;
   * `inside`: at or after `from`. `entityIds`: of these alone, 2,000 at most.
   */
  reported(
    q: {
      source: string
      since: number
      from: number
      to: number
      after: { entityId: string; audience: bigint }
      entityIds?: readonly string[]
    },
    limit: number,
  ): Promise<Reported[]>
  /** By the records alone, for all audiences. */
  held(source: string, before: number, entityIds: readonly string[]): Promise<HeldBefore[]>
  /** The same of one entity and audience, without what was retracted until `now`. */
  heldStill(
    source: string,
    before: number,
    of: Pick<Reported, 'entityId' | 'type' | 'audience'>,
    now: number,
  ): Promise<HeldBefore | null>
  /**
   * What reports gave that were retracted, or are those of the source in [from, to] of which no retraction of all of it
   * was applied yet; for all audiences, without those where that is nothing.
   */
  described(q: { source: string; from: number; to: number; entityIds: readonly string[] }): Promise<Described[]>
  /** Windows that were retracted. */
  retracted(
    source: string,
    entityIds: readonly string[],
  ): Promise<{ entityId: string; audience: bigint; from: number; to: number; at: number }[]>
}

/** How many counters differ from a recount of the entities, and by how much in all. */
export type CountDrift = { counters: number; difference: number }

/** What entities and counters were at one moment. */
export interface HistorySnapshot {
  /** Takes both as they are now, in milliseconds; again, and it holds the later moment. */
  copy(): Promise<void>
  /** Reads all of both: seconds for a few million entities. */
  drift(signal?: AbortSignal): Promise<CountDrift>
  /** Adds what the counters lack; right beside whatever is counted meanwhile. Once for each copy. */
  correct(): Promise<void>
  close(): Promise<void>
}

/** Another comparison of the counters is open, in this process or in another one. */
export class ComparisonRunning extends Error {
  constructor(options?: { cause?: unknown }) {
    super('another comparison of the counters is running', options)
    this.name = 'ComparisonRunning'
  }
}

export interface Recount {
  /** @throws ComparisonRunning while another one is open, in any process */
  open(): Promise<HistorySnapshot>
}

/** Every current row of a generation, some at a time; all rows of an entity come together. */
export interface RescoreStore {
  claims(): AsyncIterable<ScoredRow[]>
  /**
   * Whole rows of the table `from`.
   * @param since of each partition the first offset that is of interest: rows that nothing from there on changed are left out
   */
  rows(from: string, since?: readonly number[]): AsyncIterable<EntityState[]>
  untold: UntoldRows
}

/** A row that no record has changed since its score became another. */
export type UntoldRow = ScoredRow & Pick<EntityState, 'value' | 'retracted'>

/**
 * Current rows that no record from the offsets `since` (by partition) on has changed, of keys from `first` on, some at a
 * time; `next` is the key where to go on, null at the end.
 */
type UntoldRows = (since: readonly number[], first: bigint) => AsyncIterable<{ rows: UntoldRow[]; next: bigint | null }>

/** A generation that is made of the live one by scoring it anew (ADR 282). */
export interface RescoreShadow {
  /** Takes the rows of the live generation as they are now, in milliseconds; again, and it holds the later moment. */
  copy(): Promise<void>
  /** What was copied, some at a time; with `since` only what a record from these offsets (by partition) on has changed. */
  rows(since?: readonly number[]): AsyncIterable<EntityState[]>
  write(rows: readonly EntityState[], token: string): Promise<void>
  /** Every table that does not follow from scores becomes what it is in the live generation now, in milliseconds. */
  link(): Promise<void>
  /** Counts everything again: seconds for some million entities. */
  count(): Promise<void>
  /** Forgets every row that was written, and what was made of them. */
  clear(): Promise<void>
  /** Lets go of the copy. */
  dropCopy(): Promise<void>
  untold: UntoldRows
  /** What has to be known should the command end here. */
  note(state: string): Promise<void>
}
