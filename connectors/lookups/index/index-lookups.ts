import { readNetwork } from '../../../schemas/intelligence/compare/compare-networks.ts'
import type { TypedValue } from '../../../schemas/intelligence/propagation/coverage.ts'
import { type NetworkDrawer, networkDrawer } from '../../../schemas/intelligence/selectors/index/networks.ts'
import type { PresentRow } from '../../../schemas/intelligence/state/present.ts'
import { valueIn } from '../../../schemas/intelligence/state/rows/entry.ts'
import { type Reads, readEntry, readsOf } from '../../../schemas/intelligence/state/rows/read-entry.ts'
import { type Lookups, TooManyBytes } from '../port.ts'
import type { Environment } from './environment.ts'
import { digestOf, keyInto, keysUnder, newKey } from './index-key.ts'

/** Hexadecimal digits of a digest, with which an id ends. */
const DIGITS = 64

/** What is asked of the store: the fold of an entity with hundreds of claims. */
type Beside = Pick<Lookups, 'rows' | 'wholeRows' | 'entities' | 'keyed'>

/** Look-ups that read the index: a microsecond or two for a value. What the index leaves to the store is asked of it. */
export function indexLookups(index: Environment, store: Beside): Lookups {
  const networks = knownNetworks(index)
  const key = newKey()
  /** A reader asks again and again, with the same list. */
  const readers = new WeakMap<readonly bigint[], Reads>()
  const readsFor = (audiences: readonly bigint[]): Reads => {
    const known = readers.get(audiences)
    if (known !== undefined) return known
    const reads = readsOf(audiences)
    readers.set(audiences, reads)
    return reads
  }

  /** Rows with a part in some view, and the values of which the store has to be asked. */
  function read(values: ReadonlySet<string>, reads: Reads, { whole, maxBytes }: { whole: boolean; maxBytes: number }) {
    const found = new Map<string, readonly PresentRow[]>()
    const wide = new Set<string>()
    let bytes = 0
    for (const value of values) {
      // In a digest half of a pair of surrogates is the sign that stands in its place.
      if (!value.isWellFormed()) continue
      const digest = digestOf(value)
      const entry = index.entries.getBinaryFast(keyInto(key, digest))
      if (entry === undefined) continue
      bytes += entry.length
      if (bytes > maxBytes) throw new TooManyBytes(`more than ${maxBytes} bytes of rows`)
      const rows: PresentRow[] = []
      if (!readEntry(entry, { value, digest, whole }, reads, rows)) wide.add(value)
      else {
        const shown = inFolds(rows)
        if (shown.length > 0) found.set(value, shown)
      }
    }
    return { found, wide }
  }

  return {
    by: 'index',
    async rows(values, audiences) {
      const { found, wide } = read(values, readsFor(audiences), { whole: false, maxBytes: Number.POSITIVE_INFINITY })
      if (wide.size > 0) for (const [value, rows] of await store.rows(wide, audiences)) found.set(value, rows)
      return found
    },
    async wholeRows(values, audiences, maxBytes) {
      const { found, wide } = read(values, readsFor(audiences), { whole: true, maxBytes })
      if (wide.size > 0)
        for (const [value, rows] of await store.wholeRows(wide, audiences, maxBytes)) found.set(value, rows)
      return found
    },
    async entities(ids, audiences) {
      const reads = readsFor(audiences)
      const found = new Map<string, readonly PresentRow[]>()
      const left: string[] = []
      for (const id of ids) {
        const digest = id.slice(-DIGITS)
        const entry = index.entries.getBinaryFast(keyInto(key, digest))
        if (entry === undefined) continue
        const value = valueIn(entry)
        const rows: PresentRow[] = []
        const wanted = { value: value ?? '', digest, type: id.slice(0, -DIGITS - 1), whole: true }
        if (value === null || !readEntry(entry, wanted, reads, rows)) left.push(id)
        else if (rows.length > 0) found.set(id, rows)
      }
      if (left.length > 0) for (const [id, rows] of await store.entities(left, audiences)) found.set(id, rows)
      return found
    },
    async keyed(keys, audiences) {
      const reads = readsFor(audiences)
      const left: bigint[] = []
      const found = keys.flatMap((key) => {
        const rows: PresentRow[] = []
        for (const { value: entry } of index.entries.getRange(keysUnder(key))) {
          const value = valueIn(entry)
          if (value !== null && readEntry(entry, { value, digest: digestOf(value), whole: false }, reads, rows))
            continue
          left.push(key)
          return []
        }
        return inFolds(rows)
      })
      return left.length === 0 ? found : [...found, ...(await store.keyed(left, audiences))]
    },
    async around(inner) {
      networks.learn()
      const found = new Map<string, readonly string[]>()
      for (const one of inner) {
        const around = networks.around(one)
        if (around.length > 0) found.set(one.value, around)
      }
      return found
    },
  }
}

/** Rows without any part in a view are of nobody's concern, but for those that say when a match saw the entity (ADR 219). */
const inFolds = (rows: readonly PresentRow[]): readonly PresentRow[] =>
  rows.every(({ retracted }) => !retracted)
    ? rows
    : rows.some(({ retracted }) => !retracted)
      ? rows.filter(({ retracted, met }) => !retracted || met)
      : []

/** The networks of the index, found by an address: each process has them in memory, about 150 bytes each. */
function knownNetworks({ networks }: Pick<Environment, 'networks'>) {
  const drawer: NetworkDrawer<string> = networkDrawer()
  let next = 0
  return {
    /** Reads those that came since. */
    learn(): void {
      for (let text = networks.get(next); text !== undefined; text = networks.get(++next)) {
        const network = readNetwork(text)
        if (!('reason' in network)) drawer.add(network, text)
      }
    },
    around(inner: TypedValue): string[] {
      const found: string[] = []
      drawer.find(inner, found)
      return found.filter((text) => text !== inner.value).sort((a, b) => bitsOf(b) - bitsOf(a))
    },
  }
}

const bitsOf = (network: string): number => Number(network.slice(network.lastIndexOf('/') + 1))
