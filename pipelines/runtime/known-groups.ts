import type { ObservationStore } from '../../connectors/history/port.ts'

const MAX_KNOWN = 10_000

/** The groups of audiences. They never change, so what was read is kept. */
export function knownGroups(store: Pick<ObservationStore, 'groupsOf'>) {
  const known = new Map<bigint, readonly string[]>()

  /**
   * The groups of those of these audiences that are stored, or among `given`.
   * @throws what the store throws
   */
  return async (
    audiences: ReadonlySet<bigint>,
    given: ReadonlyMap<bigint, readonly string[]>,
  ): Promise<Map<bigint, readonly string[]>> => {
    const groups = new Map<bigint, readonly string[]>()
    const unknown: bigint[] = []
    for (const audience of audiences) {
      const those = given.get(audience) ?? known.get(audience)
      if (those === undefined) unknown.push(audience)
      else groups.set(audience, those)
    }
    if (unknown.length === 0) return groups
    const found = await store.groupsOf(unknown)
    if (known.size + found.size > MAX_KNOWN) known.clear()
    for (const [audience, those] of found) {
      groups.set(audience, those)
      if (known.size < MAX_KNOWN) known.set(audience, those)
    }
    return groups
  }
}
