import { useEffect } from 'react'
import { type Command, commandOf } from './commands.ts'

/** Rows of the list, in their order: what has the focus is inside of one. */
const ROWS = '[data-row]'
const FIELDS = 'input, textarea, select, [contenteditable], [role=dialog] *, [role=radiogroup] *'

/** The link of a row gets the focus, which scrolls it into sight. */
function moveFocus(by: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>(ROWS)]
  const here = rows.findIndex((row) => row.contains(document.activeElement))
  const to = here === -1 ? rows[0] : rows[here + by]
  to?.querySelector('a')?.focus()
}

/** Moves the focus through the list by keys, and runs the commands of other keys. */
export function useKeys(letters: boolean, on: (command: Exclude<Command, 'next' | 'previous'>) => void): void {
  useEffect(() => {
    const pressed = (event: KeyboardEvent): void => {
      const target = event.target instanceof Element ? event.target : document.body
      const inField = target.matches(FIELDS)
      const command = commandOf(event, { inField, inList: target.closest(ROWS) !== null, letters })
      if (command === null) return
      event.preventDefault()
      if (command === 'next') moveFocus(1)
      else if (command === 'previous') moveFocus(-1)
      else on(command)
    }
    document.addEventListener('keydown', pressed)
    return () => document.removeEventListener('keydown', pressed)
  })
}

/** The first entity of the list gets the focus once it is there. */
export const focusFirst = (): void =>
  void requestAnimationFrame(() => document.querySelector<HTMLElement>(`${ROWS} a`)?.focus())
