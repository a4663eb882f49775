import type { PropagationStore } from '../../connectors/history/port.ts'
import type { TypedValue } from '../../schemas/intelligence/propagation/coverage.ts'
import { type MarkIndex, markIndex } from '../../schemas/intelligence/propagation/mark-index.ts'

/** Marks kept in memory, at most; what lies under others is not floored, and `full` says so. */
const MAX_MARKS = 100_000
/** Blocks that are stored at once become visible in any order, this far apart at most. */
const OVERLAP_MS = 60_000

const idOf = ({ type, value }: TypedValue): string => `${type} ${value}`

/** The covering marks that this process knows, whoever stored them. They only ever become more. */
export function knownMarks(store: Pick<PropagationStore, 'marks'>) {
  const marks = new Map<string, TypedValue>()
  let index: MarkIndex = markIndex([])
  let newest = 0
  let stale = false

  /** Whether it is new, and there is room for it. */
  function add({ type, value }: TypedValue): boolean {
    const mark = { type, value }
    if (marks.has(idOf(mark)) || marks.size >= MAX_MARKS) return false
    marks.set(idOf(mark), mark)
    stale = true
    return true
  }

  return {
    add,
    all: (): TypedValue[] => [...marks.values()],
    full: (): boolean => marks.size >= MAX_MARKS,
    /** Reads what was marked since the last time; resolves to those that are new here. */
    async read(): Promise<TypedValue[]> {
      const found = await store.marks(Math.max(0, newest - OVERLAP_MS), MAX_MARKS)
      newest = Math.max(newest, found.at(-1)?.added ?? 0)
      return found.filter(add)
    },
    /** The mark that an entity lies under, or null. Builds the index again when there are new marks. */
    over(entity: TypedValue): TypedValue | null {
      if (stale) index = markIndex([...marks.values()])
      stale = false
      return marks.size === 0 ? null : index.over(entity)
    },
  }
}
