import type { ItemKind } from '../../../schemas/casework/casework.ts'
import { drawer } from '../../../schemas/intelligence/selectors/index/drawer.ts'
import { nameDrawer } from '../../../schemas/intelligence/selectors/index/names.ts'
import { networkDrawer } from '../../../schemas/intelligence/selectors/index/networks.ts'
import { selectorIndex } from '../../../schemas/intelligence/selectors/index/selector-index.ts'
import type { ChangedView } from '../../../schemas/intelligence/state/view-change.ts'
import type { KnownItem } from './watched.ts'

/** Items of all watchlists, of which a look at one change concerns only those that could enter or leave by it. */
export type WatchIndex = {
  add(item: KnownItem): void
  remove(item: KnownItem): void
  /** Every item that exactly one of both views is inside of, and perhaps some others; each once. */
  candidates(before: ChangedView | null, after: ChangedView): readonly KnownItem[]
  size(): number
}

type NamedKind = Exclude<ItemKind, 'cidr' | 'suffix' | 'selector'>

/** Items by what they name. Only tags of an entity ever change. */
function itemDrawers() {
  const named: Record<NamedKind, ReturnType<typeof drawer<string, KnownItem>>> = {
    entity: drawer(),
    value: drawer(),
    tag: drawer(),
    type: drawer(),
  }
  const networks = networkDrawer<KnownItem>()
  const names = nameDrawer<KnownItem>()
  return {
    file(how: 'add' | 'remove', item: KnownItem): void {
      const { kind, keys, network, suffix } = item.watch
      if (network !== null) networks[how](network, item)
      else if (suffix !== null) names[how](suffix, item)
      else for (const key of keys) named[kind as NamedKind][how](key, item)
    },
    /** All but those of tags. */
    find(view: ChangedView, found: KnownItem[]): void {
      named.entity.find(view.entityId, found)
      named.value.find(view.value, found)
      named.type.find(view.type, found)
      networks.find(view, found)
      names.find(view, found)
    },
    findTags(tags: readonly string[], but: readonly string[], found: KnownItem[]): void {
      if (named.tag.size === 0) return
      for (const tag of tags) if (!but.includes(tag)) named.tag.find(tag, found)
    },
  }
}

const NO_TAGS: readonly string[] = []

/**
 * Files each item under what it names, as `selectorIndex` does its selectors (ADR 204). Whether a view is inside of most
 * items can change only as the view appears, or as its reputation or its tags change; so those are not looked up
 * otherwise, and a watched entity that is reported again and again costs nothing.
 */
export function watchIndex(): WatchIndex {
  const steady = itemDrawers()
  /** With a bound of reputation. */
  const bounded = itemDrawers()
  const selectors = selectorIndex<KnownItem>()
  let size = 0

  function file(how: 'add' | 'remove', item: KnownItem): void {
    const { selector, maxReputation } = item.watch
    if (selector === null) (maxReputation === null ? steady : bounded).file(how, item)
    else if (how === 'add') selectors.add(item, selector)
    else selectors.remove(item)
    size += how === 'add' ? 1 : -1
  }

  function findSelectors(before: ChangedView | null, after: ChangedView, found: KnownItem[]): void {
    const held = selectors.candidates(after)
    for (const item of held) found.push(item)
    const left = before === null ? [] : selectors.candidates(before)
    if (left.length === 0) return
    const known = new Set(held)
    for (const item of left) if (!known.has(item)) found.push(item)
  }

  return {
    add: (item) => file('add', item),
    remove: (item) => file('remove', item),
    candidates(before, after) {
      const found: KnownItem[] = []
      const appeared = before === null || before.retracted !== after.retracted
      const moved = appeared || before.reputation !== after.reputation
      const [was, is] = [before?.tags ?? NO_TAGS, after.tags]
      for (const [drawers, all] of [
        [steady, appeared],
        [bounded, moved],
      ] as const) {
        if (all) drawers.find(after, found)
        if (all) drawers.findTags(is, NO_TAGS, found)
        else if (was !== is) drawers.findTags(is, was, found)
        if (was !== is) drawers.findTags(was, is, found)
      }
      findSelectors(before, after, found)
      return found
    },
    size: () => size,
  }
}
