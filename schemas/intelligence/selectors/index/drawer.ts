/** Ids under keys: adding and removing one takes the same time however many there are. */
export type Drawer<Key, Id> = {
  add(key: Key, id: Id): void
  remove(key: Key, id: Id): void
  /** Adds the ids under the key to those that were found. */
  find(key: Key, found: Id[]): void
  /** How many keys there are. */
  readonly size: number
}

export function drawer<Key, Id>(): Drawer<Key, Id> {
  const ids = new Map<Key, Set<Id>>()
  return {
    add(key, id) {
      const there = ids.get(key)
      if (there === undefined) ids.set(key, new Set([id]))
      else there.add(id)
    },
    remove(key, id) {
      const there = ids.get(key)
      if (there?.delete(id) && there.size === 0) ids.delete(key)
    },
    find(key, found) {
      if (ids.size === 0) return
      const there = ids.get(key)
      if (there !== undefined) for (const id of there) found.push(id)
    },
    get size() {
      return ids.size
    },
  }
}
