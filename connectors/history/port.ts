/** The history store: ClickHouse over HTTP, whether a server, a cluster or the embedded engine. */

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
