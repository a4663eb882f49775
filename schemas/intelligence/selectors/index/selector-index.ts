import type { CompiledSelector } from '../compile.ts'
import type { SelectorView } from '../selector.ts'
import { byLength } from './by-length.ts'
import { drawer } from './drawer.ts'
import { nameDrawer } from './names.ts'
import { networkDrawer } from './networks.ts'

/** Longer prefixes are filed under their beginning, so that a look takes a bounded number of steps. */
const LONGEST = 16

/** Ids by beginnings of values. */
type PrefixDrawer<Id> = {
  add(prefix: string, id: Id): void
  remove(prefix: string, id: Id): void
  find(value: string, found: Id[]): void
}

function prefixDrawer<Id>(): PrefixDrawer<Id> {
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

/** Reputations go from -3 to 3: one drawer for each. */
const LEAST = -3
const MOST = 3

/** What a selector says that names nothing narrower; types null: all of them. */
type Kinds = { types: ReadonlySet<string> | null; from: number; to: number }

/** Ids by type and reputation. */
type KindDrawer<Id> = {
  add(kinds: Kinds, id: Id): void
  remove(kinds: Kinds, id: Id): void
  find(view: Pick<SelectorView, 'type' | 'reputation'>, found: Id[]): void
}

function kindDrawer<Id>(): KindDrawer<Id> {
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

/** Many selectors, of which a look at one view concerns only those that could hold. */
export type SelectorIndex<Id> = {
  /** Takes the time of the keys that the selector is filed under; one that is there already is replaced. */
  add(id: Id, selector: CompiledSelector): void
  remove(id: Id): void
  /** Every id whose selector holds for the view at some moment, and some whose selector does not; each once. */
  candidates(view: SelectorView): readonly Id[]
}

/**
 * Files each selector under the narrowest part that it gives: values, a suffix, networks, numbers of autonomous systems, a
 * prefix, tags, countries, and otherwise its types and reputations. Compared with asking all of them in turn:
 * `npm run bench -- selectors`.
 */
export function selectorIndex<Id>(selectors: Iterable<readonly [Id, CompiledSelector]> = []): SelectorIndex<Id> {
  const filed = new Map<Id, CompiledSelector>()
  const values = drawer<string, Id>()
  const names = nameDrawer<Id>()
  const tags = drawer<string, Id>()
  const asns = drawer<number, Id>()
  const countries = drawer<string, Id>()
  const [networks, prefixes, kinds] = [networkDrawer<Id>(), prefixDrawer<Id>(), kindDrawer<Id>()]

  function file(how: 'add' | 'remove', id: Id, { selector, conditions }: CompiledSelector): void {
    const under = <Key>(to: { [how in 'add' | 'remove']: (key: Key, id: Id) => void }, keys: Iterable<Key>): void => {
      for (const key of keys) to[how](key, id)
    }
    // Each of `all` is enough.
    const tagged = selector.tags?.all?.slice(0, 1) ?? selector.tags?.any
    if (conditions.values !== null) under(values, conditions.values)
    else if (conditions.suffix !== null) under(names, [conditions.suffix])
    else if (conditions.networks !== null) under(networks, conditions.networks)
    else if (conditions.asns !== null) under(asns, conditions.asns)
    else if (conditions.prefixes !== null) under(prefixes, new Set(conditions.prefixes.map(({ text }) => text)))
    else if (tagged !== undefined) under(tags, tagged)
    else if (conditions.countries !== null) under(countries, conditions.countries)
    else {
      const { gte = -Infinity, lte = Infinity } = selector.reputation ?? {}
      kinds[how]({ types: conditions.types, from: gte, to: lte }, id)
    }
  }

  function remove(id: Id): void {
    const there = filed.get(id)
    if (there === undefined) return
    file('remove', id, there)
    filed.delete(id)
  }

  function add(id: Id, selector: CompiledSelector): void {
    remove(id)
    filed.set(id, selector)
    file('add', id, selector)
  }

  for (const [id, selector] of selectors) add(id, selector)

  return {
    add,
    remove,
    candidates(view) {
      const found: Id[] = []
      if (view.retracted) return found
      // Only these two find a selector under several of its keys.
      if (tags.size > 0) for (const tag of view.tags) tags.find(tag, found)
      prefixes.find(view.value, found)
      const once = found.length < 2 ? found : [...new Set(found)]
      values.find(view.value, once)
      names.find(view, once)
      networks.find(view, once)
      if (view.asn !== 0) asns.find(view.asn, once)
      if (view.country !== '') countries.find(view.country, once)
      kinds.find(view, once)
      return once
    },
  }
}
