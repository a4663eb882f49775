/** The history store: ClickHouse over HTTP, whether a server, a cluster or the embedded engine. */
import type { EntityState } from '../../schemas/entity-state.ts'
import type { CountDelta, Edge, HistoryRecord } from '../../schemas/stored.ts'

/** A question and its bound values; values are never pasted into `sql`. */
export type Query = { sql: string; params: Record<string, unknown> }

/** A column of a block: its name, its ClickHouse type in the block, and the bytes of its values (Native format). */
export type Block = { rows: number; bytes: Buffer }

export interface History {
  /** Rows as objects keyed by column. 64-bit integers arrive as strings. Bounded in time and memory. */
  query<Row>(query: Query, signal?: AbortSignal): Promise<Row[]>
  /**
   * Appends one block as one insert. The same token again is dropped by the table, so a retry must carry the same
   * rows; an empty block is not sent.
   */
  insert(table: string, block: Block, token: string): Promise<void>
  /** A statement without an answer (DDL, rebuilds). */
  command(sql: string): Promise<void>
  ping(): Promise<void>
  close(): Promise<void>
}

/** What the observation job keeps: each write is one block with a token, so that a retry adds nothing twice. */
export interface ObservationStore {
  /** Current rows, of every audience, of these entities. */
  rowsOf(entityIds: readonly string[]): Promise<EntityState[]>
  audiences(groupsOf: ReadonlyMap<bigint, readonly string[]>, token: string): Promise<void>
  history(records: readonly HistoryRecord[], token: string): Promise<void>
  associations(edges: readonly Edge[], token: string): Promise<void>
  /**
   * Also leaves a mark that says so, in the same block, and takes away that of an earlier token, whose range can not be
   * begun again.
   */
  counts(deltas: readonly CountDelta[], token: string, earlier?: string): Promise<void>
  entities(rows: readonly EntityState[], token: string): Promise<void>
  /**
   * What is there already of a range that was begun before, however long ago: offsets of its history, all of one
   * partition, and whether its counts were added.
   */
  present(records: readonly HistoryRecord[], token: string): Promise<Present>
}

export type Present = { history: ReadonlySet<number>; counts: boolean }

/** How many counters differ from a recount of the entities, and by how much in all. */
export type Drift = { counters: number; difference: number }

/** What entities and counters were at one moment. */
export interface Snapshot {
  /** Takes both as they are now, in milliseconds; again, and it holds the later moment. */
  copy(): Promise<void>
  /** Reads all of both: seconds for a few million entities. */
  drift(signal?: AbortSignal): Promise<Drift>
  /** Adds what the counters lack; right beside whatever is counted meanwhile. Once for each copy. */
  correct(): Promise<void>
  close(): Promise<void>
}

export interface Recount {
  /** @throws Error while another one is open, in any process */
  open(): Promise<Snapshot>
}
