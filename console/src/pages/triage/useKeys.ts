import { useEffect } from 'react'
import { type Command, commandOf } from './commands.ts'

/** Rows of the list, in their order: what has the focus is inside of one. */
const ROWS = '[data-row]'
const FIELDS = 'input:not([type=checkbox]), textarea, select, [contenteditable], [role=dialog] *, [role=radiogroup] *'

/** The link of a row gets the focus, which scrolls it into sight. */
function moveFocus(by: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>(ROWS)]
  const here = rows.findIndex((row) => row.contains(document.activeElement))
  const to = here === -1 ? rows[0] : rows[here + by]
  to?.querySelector('a')?.focus()
}

/** The row beside the one with the focus gets it, as that one leaves the list. */
export function leaveRow(): void {
  const rows = [...document.querySelectorAll<HTMLElement>(ROWS)]
  const here = rows.findIndex((row) => row.contains(document.activeElement))
  if (here !== -1) (rows[here + 1] ?? rows[here - 1])?.querySelector('a')?.focus()
}

type Other = Exclude<Command, 'next' | 'previous'>

/**
 * Moves the focus through the list by keys, and runs the commands of other keys. They are told the id of the row with the
 * focus; null: none.
 */
export function useKeys(letters: boolean, on: (command: Other, row: string | null) => void): void {
  useEffect(() => {
    const pressed = (event: KeyboardEvent): void => {
      const target = event.target instanceof Element ? event.target : document.body
      const inField = target.matches(FIELDS)
      const command = commandOf(event, { inField, inList: target.closest(ROWS) !== null, letters })
      if (command === null) return
      event.preventDefault()
      if (command === 'next') moveFocus(1)
      else if (command === 'previous') moveFocus(-1)
      else on(command, target.closest<HTMLElement>(ROWS)?.dataset.row ?? null)
    }
    document.addEventListener('keydown', pressed)
    return () => document.removeEventListener('keydown', pressed)
  })
}

/** The first entity of the list gets the focus once it is there. */
export const focusFirst = (): void =>
  void requestAnimationFrame(() => document.querySelector<HTMLElement>(`${ROWS} a`)?.focus())
