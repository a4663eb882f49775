import { hostNameOf } from '../../compare/compare-names.ts'
import type { TypedValue } from '../../propagation/coverage.ts'
import { byLength } from './by-length.ts'

/** Ids by suffixes of names. */
export type NameDrawer<Id> = {
  add(suffix: string, id: Id): void
  remove(suffix: string, id: Id): void
  find(entity: TypedValue, found: Id[]): void
}

const labelsOf = (name: string): number => name.split('.').length

/** A suffix is filed under the number of its labels: a look cuts out one part of the name for each number in use. */
export function nameDrawer<Id>(): NameDrawer<Id> {
  const drawers = byLength<string, Id>()
  return {
    add: (suffix, id) => drawers.add(labelsOf(suffix), suffix, id),
    remove: (suffix, id) => drawers.remove(labelsOf(suffix), suffix, id),
    find({ type, value }, found) {
      if (drawers.used.length === 0) return
      const name = hostNameOf(type, value)
      if (name === null) return
      for (const { length, drawer } of drawers.used) {
        const start = startOf(name, length)
        if (start >= 0) drawer.find(start === 0 ? name : name.slice(start), found)
      }
    },
  }
}

/** Where the last labels of a name begin; -1 for a name of fewer. */
function startOf(name: string, labels: number): number {
  let dot = name.length
  for (let n = 0; n < labels; n++) {
    if (dot <= 0) return -1
    dot = name.lastIndexOf('.', dot - 1)
    if (dot < 0) return n === labels - 1 ? 0 : -1
  }
  return dot + 1
}
