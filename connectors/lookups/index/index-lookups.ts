import { readNetwork } from '../../../schemas/intelligence/compare/compare-networks.ts'
import type { TypedValue } from '../../../schemas/intelligence/propagation/coverage.ts'
import { type NetworkDrawer, networkDrawer } from '../../../schemas/intelligence/selectors/index/networks.ts'
import type { PresentRow } from '../../../schemas/intelligence/state/present.ts'
import type { Lookups } from '../port.ts'
import { type Reads, readEntry, readsOf } from './entry.ts'
import type { Environment } from './environment.ts'
import { digestOf, keyInto, newKey } from './index-key.ts'

/**
 * Look-ups that read the index: a microsecond or two for a value. What the index leaves to the store, the fold of an entity
 * with hundreds of claims, is asked of it.
 */
export function indexLookups(index: Environment, store: Pick<Lookups, 'rows'>): Lookups {
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
  return {
    by: 'index',
    async rows(values, audiences) {
      const reads = readsFor(audiences)
      const found = new Map<string, readonly PresentRow[]>()
      const wide = new Set<string>()
      for (const value of values) {
        // In a digest half of a pair of surrogates is the sign that stands in its place.
        if (!value.isWellFormed()) continue
        const digest = digestOf(value)
        const entry = index.entries.getBinaryFast(keyInto(key, digest))
        if (entry === undefined) continue
        const rows: PresentRow[] = []
        if (!readEntry(entry, { value, digest }, reads, rows)) wide.add(value)
        else if (rows.length > 0) found.set(value, rows)
      }
      if (wide.size > 0) for (const [value, rows] of await store.rows(wide, audiences)) found.set(value, rows)
      return found
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
