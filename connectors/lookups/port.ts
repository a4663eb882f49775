/** Present entities by their value (decisions 18): what a reputation follows from, from the store or an index of it. */

import type { TypedValue } from '../../schemas/intelligence/propagation/coverage.ts'
import type { IndexedEntity, PresentRow } from '../../schemas/intelligence/state/present.ts'
import type { KeyedEntry } from '../../schemas/intelligence/state/rows/stored-rows.ts'

/** By value; a value that nobody reported is absent. */
export type RowsByValue = ReadonlyMap<string, readonly PresentRow[]>

/** One place to look things up in. What it says is of one moment or later ones, never of an earlier one. */
export type Lookups = {
  by: 'index' | 'store'
  /**
   * Rows in these audiences of all entities with one of these values, whatever their type; rows without any part in a view
   * are left out. Values in normal form, at most 100,000.
   * @throws what the store throws
   */
  rows(values: ReadonlySet<string>, audiences: readonly bigint[]): Promise<RowsByValue>
  /**
   * The same with all that a record shows of them: attributes, and the best and worst of their claims.
   * @throws TooManyBytes past about so many bytes of rows
   */
  wholeRows(values: ReadonlySet<string>, audiences: readonly bigint[], maxBytes: number): Promise<RowsByValue>
  /**
   * By id, all that is shown of entities with one of these ids, of a few; those of which everything was taken back too.
   * Ids that the audiences do not read are absent.
   */
  entities(ids: readonly string[], audiences: readonly bigint[]): Promise<ReadonlyMap<string, readonly PresentRow[]>>
  /**
   * Rows in these audiences of all entities with one of these keys, the first 8 bytes of their digests; of some hundreds, as
   * `rows` has them.
   */
  keyed(keys: readonly bigint[], audiences: readonly bigint[]): Promise<readonly PresentRow[]>
  /**
   * Of each address or network, by its value, the values of the networks around it that may be entities, the narrowest
   * first; its own value is not among them. At most 100,000.
   */
  around(inner: readonly TypedValue[], audiences: readonly bigint[]): Promise<ReadonlyMap<string, readonly string[]>>
}

export type LookupSource = {
  /**
   * Where the next answer comes from.
   * @param asks whether an index is kept because of such questions, or read where it is kept for others
   */
  next(asks?: boolean): Promise<Lookups>
  /** The store in any case: for what a statement has just seen, and an index may not have yet. */
  store: Lookups
}

/** More rows than one answer may have. */
export class TooManyBytes extends Error {
  override readonly name = 'TooManyBytes'
}

/** How far an index is in a partition of the observations: the next offset, and the seal of the record before it. */
export type AppliedTo = { to: number; seal: string | null }

/** What an index is of, and how far it is. Times are unix milliseconds. */
export type IndexState = {
  /** Of its entries: an index of another form is not read. */
  form: string
  /** The database of the tables that it was made from (ADR 132). */
  database: string
  /** Whether all that was there when it was begun is in it. */
  complete: boolean
  builtAt: number
  /** The next offset of `entity.rows` to apply. */
  position: number
  /** By partition of the observations: it says what the tables said when they had these and no later ones. */
  applied: readonly (AppliedTo | null)[]
  /** It had everything that was stored at that time. */
  asOf: number
}

/** What the one process that keeps the index of a host does with it. */
export type LookupIndex = {
  state(): IndexState
  /**
   * Puts entities in that are there for the first time, each value after the one before by its digest; then the state.
   * Rejects when the disk is full: nothing of it is there then.
   */
  append(entities: readonly IndexedEntity[], state: Partial<IndexState>): Promise<void>
  /** Puts entities in the place of what they were, and sets the state with them. Rejects as `append`. */
  put(entries: readonly KeyedEntry[], state: Partial<IndexState>): Promise<void>
  /** Bytes on the disk. */
  bytes(): number
  close(): Promise<void>
}

/** The indexes of a host, for the one process that writes them. */
export type IndexStore = {
  /**
   * The one that is read now; null: there is none, or it cannot be believed, and then it is removed.
   * @throws Error when it cannot be opened now
   */
  open(): LookupIndex | null
  /** An empty one, which is read once it is promoted. */
  begin(of: Pick<IndexState, 'database' | 'position' | 'applied'>): LookupIndex & { promote(): void }
  /** Removes every index. */
  clear(): void
}
