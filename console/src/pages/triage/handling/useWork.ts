import { useState } from 'react'
import { type Sending, useSend } from '../../../parts/form/useSend.ts'
import type { Item } from '../feed.ts'
import { allOrNone, chosen, NOTHING, type Selection } from './selection.ts'
import type { TriageChange } from './states.ts'
import type { TriageWork } from './useTriage.ts'

export type Dialog = 'assign' | 'note' | 'verdict'
type Handled = { items: readonly Item[] }

/** What is selected of the list, what is being done with it, and what can be undone. */
export function useWork(triage: TriageWork, listed: readonly Item[]) {
  const [selection, setSelection] = useState<Selection>(NOTHING)
  const [dialog, setDialog] = useState<{ kind: Dialog; items: readonly Item[] } | null>(null)
  const [handled, setHandled] = useState<Handled | null>(null)
  const sending: Sending = useSend()
  const ids = listed.map(({ id }) => id)
  const selected = listed.filter(({ id }) => selection.ids.has(id))
  const clear = (): void => setSelection(NOTHING)

  const apply = async (items: readonly Item[], change: TriageChange): Promise<void> => {
    await triage.change(items, change)
    clear()
    setHandled(change.handled === true ? { items } : null)
  }
  return {
    selected,
    clear,
    choose: (id: string, shift: boolean): void => setSelection(chosen(selection, ids, id, shift)),
    chooseAll: (): void => setSelection(allOrNone({ ...selection, ids: new Set(selected.map(({ id }) => id)) }, ids)),
    /** The selected ones, or without any the one of this id. */
    about: (id: string | null): readonly Item[] =>
      selected.length > 0 ? selected : listed.filter((item) => item.id === id),
    dialog,
    open: (kind: Dialog, items: readonly Item[]): void => setDialog(items.length === 0 ? null : { kind, items }),
    close: (): void => setDialog(null),
    /** Rejects with what is refused: dialogs show it themselves. */
    apply,
    /** The same without a dialog; what is refused is `error`. */
    mark: (items: readonly Item[], isHandled: boolean): Promise<void> =>
      items.length === 0 ? Promise.resolve() : sending.send(() => apply(items, { handled: isHandled })),
    error: sending.error,
    /** Entities that were marked as handled last. */
    handled,
  }
}

export type Work = ReturnType<typeof useWork>
