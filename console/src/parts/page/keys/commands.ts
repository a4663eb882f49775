/** Keys that work on every page; those of one page are in `page-keys.ts`. */
export type GeneralCommand = 'search' | 'help' | 'next' | 'previous'
type Command = { general: GeneralCommand } | { page: string }

export type KeyPress = { key: string; ctrlKey: boolean; altKey: boolean; metaKey: boolean }
export type FocusState = {
  /** The focus is where text is typed or a choice is made, or a dialog is open. */
  inField: boolean
  /** The focus is on a row of a list. */
  inList: boolean
  /** Whether single characters do something; arrows in a list always do. */
  letters: boolean
  /** The characters that the page has commands for. */
  pageKeys: readonly string[]
}

const LETTERS: Readonly<Record<string, GeneralCommand>> = { '/': 'search', '?': 'help', j: 'next', k: 'previous' }
const ARROWS: Readonly<Record<string, GeneralCommand>> = { ArrowDown: 'next', ArrowUp: 'previous' }

/** The command of a key; null: none, the browser handles the key. Shift is no modifier: some keyboards type `/` with it. */
export function commandOf(press: KeyPress, { inField, inList, letters, pageKeys }: FocusState): Command | null {
  const { key, ctrlKey, altKey, metaKey } = press
  if (ctrlKey || altKey || metaKey || inField) return null
  const arrow = inList ? ARROWS[key] : undefined
  if (arrow !== undefined) return { general: arrow }
  if (!letters) return null
  const general = LETTERS[key]
  if (general !== undefined) return { general }
  return pageKeys.includes(key) ? { page: key } : null
}

/** A line of the help: keys, and what they do. */
export type KeyLine = readonly [keys: string, does: string]

const EVERYWHERE: readonly KeyLine[] = [
  ['/', 'go to the search box; Esc leaves it'],
  ['?', 'show these shortcuts'],
]
const IN_LISTS: readonly KeyLine[] = [
  ['j or ↓', 'next row (arrows: when a row has the focus)'],
  ['k or ↑', 'previous row'],
  ['Enter', 'open the row'],
]

/** The keys that work on a page, for the people who use them. `hasList`: the page shows rows that can be opened. */
export const helpOf = (hasList: boolean, ofPage: readonly KeyLine[]): KeyLine[] => [
  ...EVERYWHERE,
  ...(hasList ? IN_LISTS : []),
  ...ofPage,
]
