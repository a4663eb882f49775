/**
 * Rows of the lists of a page, in their order. A row is a line of a table, or what has `data-row`, with a link or a
 * button that opens it. That one has the focus, so screen readers say what it is, and Enter opens it.
 */
const ROWS = '#page [data-row], #page tbody tr:not([data-row])'

const openerOf = (row: Element): HTMLElement | null =>
  row.querySelector<HTMLElement>('a[href]') ?? row.querySelector<HTMLElement>('button:not(:disabled)')

/** Rows that are in sight or can be scrolled to, not those of a panel that is hidden. */
const rows = (): Element[] =>
  [...document.querySelectorAll(ROWS)].filter((row) => openerOf(row)?.checkVisibility() === true)

const indexOfFocus = (all: readonly Element[]): number => all.findIndex((row) => row.contains(document.activeElement))

export const hasRows = (): boolean => rows().length > 0

/** The row that an element is in; null: none. */
export const rowOf = (element: Element): HTMLElement | null => element.closest<HTMLElement>(ROWS)

/** The row behind or before the one with the focus gets it, and comes into sight; the first one where none has it. */
export function moveFocus(by: 1 | -1): void {
  const all = rows()
  const here = indexOfFocus(all)
  const to = here === -1 ? all[0] : all[here + by]
  if (to !== undefined) openerOf(to)?.focus()
}

/** The row beside the one with the focus gets it, as that one leaves the list. */
export function leaveRow(): void {
  const all = rows()
  const here = indexOfFocus(all)
  const to = here === -1 ? undefined : (all[here + 1] ?? all[here - 1])
  if (to !== undefined) openerOf(to)?.focus()
}

/** The first row of the page gets the focus once it is there. */
export const focusFirst = (): void =>
  void requestAnimationFrame(() => {
    const first = rows()[0]
    if (first !== undefined) openerOf(first)?.focus()
  })
