import { type Drawer, drawer } from './drawer.ts'

/** Drawers by a length: a look goes only into those of lengths that something is filed under. */
export type ByLength<Key, Id> = {
  add(length: number, key: Key, id: Id): void
  remove(length: number, key: Key, id: Id): void
  /** The lengths in use with their drawers, in no order. An array, which a look goes through in no time. */
  readonly used: readonly { readonly length: number; readonly drawer: Drawer<Key, Id> }[]
}

export function byLength<Key, Id>(): ByLength<Key, Id> {
  const used: { length: number; drawer: Drawer<Key, Id> }[] = []
  return {
    used,
    add(length, key, id) {
      const there = used.find((one) => one.length === length)
      if (there !== undefined) return there.drawer.add(key, id)
      const made = drawer<Key, Id>()
      made.add(key, id)
      used.push({ length, drawer: made })
    },
    remove(length, key, id) {
      const at = used.findIndex((one) => one.length === length)
      used[at]?.drawer.remove(key, id)
      if (used[at]?.drawer.size === 0) used.splice(at, 1)
    },
  }
}
