import type { PropagationStore, StoredMark } from '../../connectors/history/port.ts'
import type { TypedValue } from '../../schemas/intelligence/propagation/coverage.ts'
import { type MarkIndex, markIndex } from '../../schemas/intelligence/propagation/mark-index.ts'

/** Maximum number of marks in memory; entities under further marks are not floored, and `full` reports it. */
const MAX_MARKS = 100_000
/** Blocks that are stored at once become visible in any order, this far apart at most. */
const OVERLAP_MS = 60_000

const idOf = ({ type, value }: TypedValue): string => `${type} ${value}`

/** What a process did not know of a mark: that it holds, or that it was cleared. */
export type MarkNews = { mark: TypedValue; holds: boolean }

type Versioned = { mark: TypedValue; version: number }

/** Marks of one kind, and an index that is made again when they have changed. */
function indexed() {
  const marks = new Map<string, Versioned>()
  let index: MarkIndex | undefined
  return {
    of: (id: string) => marks.get(id),
    size: () => marks.size,
    set(id: string, entry: Versioned): void {
      if (!marks.has(id)) index = undefined
      marks.set(id, entry)
    },
    remove(id: string): void {
      if (marks.delete(id)) index = undefined
    },
    removeOldest(): void {
      const [oldest] = marks.keys()
      if (oldest !== undefined) this.remove(oldest)
    },
    over(entity: TypedValue): TypedValue | null {
      if (marks.size === 0) return null
      index ??= markIndex([...marks.values()].map(({ mark }) => mark))
      return index.over(entity)
    },
  }
}

/**
 * The covering marks that this process knows, whichever process stored them, and those that were cleared (ADR 270). Of a
 * mark the row of the highest version says which it is: rows become known in any order.
 */
export function knownMarks(store: Pick<PropagationStore, 'marks'>) {
  const holding = indexed()
  const cleared = indexed()
  let newest = 0

  /** Whether that is news, and there is room for it. */
  function learn({ type, value, version, holds }: Omit<StoredMark, 'added'>): boolean {
    const mark = { type, value }
    const id = idOf(mark)
    const before = holding.of(id)
    const known = before ?? cleared.of(id)
    if (known !== undefined && known.version > version) return false
    const [to, from] = holds ? [holding, cleared] : [cleared, holding]
    if (known === undefined && to.size() >= MAX_MARKS) {
      if (holds) return false
      cleared.removeOldest()
    }
    to.set(id, { mark, version })
    from.remove(id)
    return known === undefined || (before !== undefined) !== holds
  }

  return {
    learn,
    full: (): boolean => holding.size() >= MAX_MARKS,
    /** Reads what was marked and cleared since the last time; resolves to what is new here. */
    async read(): Promise<MarkNews[]> {
      const found = await store.marks(Math.max(0, newest - OVERLAP_MS), MAX_MARKS)
      newest = Math.max(newest, found.at(-1)?.added ?? 0)
      const news = new Map<string, TypedValue>()
      for (const mark of found) if (learn(mark)) news.set(idOf(mark), { type: mark.type, value: mark.value })
      return [...news].map(([id, mark]) => ({ mark, holds: holding.of(id) !== undefined }))
    },
    /** The mark that an entity lies under, or null. */
    over: (entity: TypedValue): TypedValue | null => holding.over(entity),
    /** A mark that it lay under until that was cleared, when no other one covers it; else null. */
    noMoreOver: (entity: TypedValue): TypedValue | null =>
      holding.over(entity) === null ? cleared.over(entity) : null,
  }
}
