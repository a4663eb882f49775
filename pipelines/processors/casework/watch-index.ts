import type { ItemKind } from '../../../schemas/casework/casework.ts'
import { drawer } from '../../../schemas/intelligence/selectors/index/drawer.ts'
import { nameDrawer } from '../../../schemas/intelligence/selectors/index/names.ts'
import { networkDrawer } from '../../../schemas/intelligence/selectors/index/networks.ts'
import { selectorIndex } from '../../../schemas/intelligence/selectors/index/selector-index.ts'
import type { ChangedView } from '../../../schemas/intelligence/state/changed-view.ts'
import type { KnownItem } from './watched.ts'

/** Items of all watchlists, of which a look at one change concerns only those that could enter or leave by it. */
export type WatchIndex = {
  add(item: KnownItem): void
  remove(item: KnownItem): void
  /** Every item that exactly one of both views is inside of, and perhaps some others; each once. */
  candidates(before: ChangedView | null, after: ChangedView): readonly KnownItem[]
  size(): number
}

type NamedKind = Exclude<ItemKind, 'cidr' | 'suffix' | 'selector' | 'match'>

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
  let size = 0
  return {
    size: () => size,
    file(how: 'add' | 'remove', item: KnownItem): void {
      const { kind, keys, network, suffix } = item.watch
      if (network !== null) networks[how](network, item)
      else if (suffix !== null) names[how](suffix, item)
      else for (const key of keys) named[kind as NamedKind][how](key, item)
      size += how === 'add' ? 1 : -1
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

type ItemDrawers = ReturnType<typeof itemDrawers>

const NO_TAGS: readonly string[] = []
const NO_ITEMS: readonly KnownItem[] = []

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
  let selected = 0

  function file(how: 'add' | 'remove', item: KnownItem): void {
    const { selector, maxReputation } = item.watch
    if (selector === null) {
      ;(maxReputation === null ? steady : bounded).file(how, item)
      return
    }
    if (how === 'add') selectors.add(item, selector)
    else selectors.remove(item)
    selected += how === 'add' ? 1 : -1
  }

  function findNamed(
    drawers: ItemDrawers,
    before: ChangedView | null,
    after: ChangedView,
    all: boolean,
    found: KnownItem[],
  ) {
    if (drawers.size() === 0) return
    const was = before === null ? NO_TAGS : before.tags
    if (all) {
      drawers.find(after, found)
      drawers.findTags(after.tags, NO_TAGS, found)
    } else if (was !== after.tags) drawers.findTags(after.tags, was, found)
    if (was !== after.tags) drawers.findTags(was, after.tags, found)
  }

  function findSelectors(before: ChangedView | null, after: ChangedView, found: KnownItem[]): void {
    if (selected === 0) return
    const held = selectors.candidates(after)
    for (const item of held) found.push(item)
    const left = before === null ? NO_ITEMS : selectors.candidates(before)
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
      findNamed(steady, before, after, appeared, found)
      findNamed(bounded, before, after, appeared || before.reputation !== after.reputation, found)
      findSelectors(before, after, found)
      return found
    },
    size: () => steady.size() + bounded.size() + selected,
  }
}
