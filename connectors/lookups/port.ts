/** Present entities by their value (decisions 18): what a reputation follows from, from the store or an index of it. */

import type { TypedValue } from '../../schemas/intelligence/propagation/coverage.ts'
import type { PresentRow } from '../../schemas/intelligence/state/present.ts'

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
   * Of each address or network, by its value, the values of the networks around it that may be entities, the narrowest
   * first; its own value is not among them. At most 100,000.
   */
  around(inner: readonly TypedValue[], audiences: readonly bigint[]): Promise<ReadonlyMap<string, readonly string[]>>
}

/** Where the next answer comes from. */
export type LookupSource = { next(): Promise<Lookups> }
