import type { SelectorView } from '../selector.ts'
import { drawer } from './drawer.ts'

/** Reputations go from -3 to 3: one drawer for each. */
const LEAST = -3
const MOST = 3

/** What a selector says that names nothing narrower; types null: all of them. */
export type Kinds = { types: ReadonlySet<string> | null; from: number; to: number }

/** Ids by type and reputation. */
export type KindDrawer<Id> = {
  add(kinds: Kinds, id: Id): void
  remove(kinds: Kinds, id: Id): void
  find(view: Pick<SelectorView, 'type' | 'reputation'>, found: Id[]): void
}

export function kindDrawer<Id>(): KindDrawer<Id> {
  const typed = Array.from({ length: MOST - LEAST + 1 }, () => drawer<string, Id>())
  const rest = drawer<number, Id>()
  const change =
    (how: 'add' | 'remove'): KindDrawer<Id>['add'] =>
    ({ types, from, to }, id) => {
      for (let reputation = Math.max(from, LEAST); reputation <= Math.min(to, MOST); reputation++)
        if (types === null) rest[how](reputation, id)
        else for (const type of types) typed[reputation - LEAST]![how](type, id)
    }
  return {
    add: change('add'),
    remove: change('remove'),
    find({ type, reputation }, found) {
      typed[reputation - LEAST]?.find(type, found)
      rest.find(reputation, found)
    },
  }
}
