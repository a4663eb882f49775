import { type PageKey, usePageKeys } from '../../parts/page/keys/page-keys.ts'
import { leaveRow } from '../../parts/page/keys/rows.ts'
import type { Item } from './feed.ts'
import { isDone } from './handling/states.ts'
import type { useTriage } from './handling/useTriage.ts'
import type { useWork } from './handling/useWork.ts'

type Given = {
  triage: ReturnType<typeof useTriage>
  work: ReturnType<typeof useWork>
  /** Whether a row leaves the list once it is handled, or open again. */
  leaves: boolean
  /** Shows what is new; null: nothing is. */
  bringIn: (() => void) | null
  pause: () => void
}

/** The keys of this page; what the team notes has keys only for callers who may note. */
export function useTriageKeys({ triage, work, leaves, bringIn, pause }: Given): void {
  const choose = (range: boolean) => (row: string | null) => void (row !== null && work.choose(row, range))
  const toggleHandled = (row: string | null): void => {
    const items = work.about(row)
    const done = items.every((item: Item) => isDone(item, triage.states.get(item.id)))
    if (leaves) leaveRow()
    void work.mark(items, !done)
  }
  const noted: PageKey[] = [
    { key: 'x', does: 'select the entity', run: choose(false) },
    { key: 'X', label: 'Shift x', does: 'select all from the one that was selected last', run: choose(true) },
    {
      key: 'e',
      does: 'mark as handled: the selected entities, or the one with the focus; again: open',
      run: toggleHandled,
    },
    {
      key: 'a',
      does: 'assign the selected entities, or the one with the focus',
      run: (row) => work.open('assign', work.about(row)),
    },
  ]
  usePageKeys([
    ...(triage.enabled ? noted : []),
    { key: 'n', does: 'show what is new', run: () => bringIn?.() },
    { key: 'p', does: 'pause or resume', run: pause },
  ])
}
