import { byLength } from './by-length.ts'

/** Longer prefixes are filed under their beginning, so that a look takes a bounded number of steps. */
const LONGEST = 16

/** Ids by beginnings of values. */
export type PrefixDrawer<Id> = {
  add(prefix: string, id: Id): void
  remove(prefix: string, id: Id): void
  find(value: string, found: Id[]): void
}

export function prefixDrawer<Id>(): PrefixDrawer<Id> {
  const drawers = byLength<string, Id>()
  return {
    add: (prefix, id) => drawers.add(Math.min(prefix.length, LONGEST), prefix.slice(0, LONGEST), id),
    remove: (prefix, id) => drawers.remove(Math.min(prefix.length, LONGEST), prefix.slice(0, LONGEST), id),
    find(value, found) {
      for (const { length, drawer } of drawers.used)
        if (length <= value.length) drawer.find(value.slice(0, length), found)
    },
  }
}
