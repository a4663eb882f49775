import type { EdgeChange, EdgeItem, EdgeList, EdgeLists, ListState } from '../../../connectors/edge-list/port.ts'

/** What a list on a disk is asked to do, in order; each may be made to fail. */
export type Step = 'begin' | 'apply' | 'finish'

export type MemoryLists = EdgeLists & {
  /** The lists that are open, oldest first. */
  open(): number
  /** Lists that were begun and lie beside the current one. */
  parts(): number
  fail(step: Step | null): void
  /** Of the current list. */
  values(): string[]
}

const FULL = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })

/** Lists of a folder, without one. A list that was closed may not be used any more. */
export function memoryLists(given: { items: readonly EdgeItem[]; state: Omit<ListState, 'items'> } | null = null) {
  const opened = new Set<object>()
  const made = new Set<object>()
  let current: (EdgeList & { values(): string[] }) | null = null
  let failing: Step | null = null
  const tried = (step: Step): void => {
    if (failing === step) throw FULL
  }

  function make(items: readonly EdgeItem[], at: Omit<ListState, 'items'>): EdgeList & { values(): string[] } {
    const kept = new Map(items.map((item) => [`${item.type} ${item.value}`, item]))
    let state: ListState = { ...at, items: kept.size }
    const mustBeOpen = (): void => {
      if (!opened.has(list)) throw new Error('the list is closed')
    }
    const list = {
      values: () => [...kept.values()].map(({ value }) => value).sort(),
      state: () => state,
      items: (value: string) =>
        [...kept.values()].filter((item) => item.value === value).map((item) => ({ ...item, id: '' })),
      around: () => [],
      isAboveListed: () => false,
      holdsListed: () => false,
      all: () => kept.values(),
      async apply(changes: readonly EdgeChange[], next: Omit<ListState, 'items'>) {
        mustBeOpen()
        tried('apply')
        for (const { item, gone } of changes) {
          if (gone) kept.delete(`${item.type} ${item.value}`)
          else kept.set(`${item.type} ${item.value}`, item)
        }
        state = { ...next, items: kept.size }
      },
      async close() {
        opened.delete(list)
      },
    }
    opened.add(list)
    return list
  }

  if (given !== null) current = make(given.items, given.state)
  const lists: MemoryLists = {
    open: () => current as never,
    begin(feed) {
      tried('begin')
      const list = make([], { feed, cursor: '', sequence: 0, complete: false })
      made.add(list)
      return {
        ...list,
        async finish(at) {
          tried('finish')
          await list.apply([], at)
          current = list
          return list
        },
      }
    },
    removeOthers() {
      made.clear()
      if (current !== null) made.add(current)
    },
    parts: () => [...made].filter((one) => one !== current).length,
    fail(step) {
      failing = step
    },
    values: () => current?.values() ?? [],
  } as MemoryLists
  return Object.assign(lists, { current: () => current, opened: () => opened.size })
}
