/** The id of the search box in the header. */
export const SEARCH_BOX = 'quick-search'

/** Puts the cursor into the search box, with its text selected. */
export function focusSearch(): void {
  const box = document.getElementById(SEARCH_BOX)
  if (box instanceof HTMLInputElement) box.select()
}
