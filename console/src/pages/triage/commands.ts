/** The commands of this page. */
export type Command =
  | 'next'
  | 'previous'
  | 'select'
  | 'selectRange'
  | 'handled'
  | 'assign'
  | 'bringIn'
  | 'pause'
  | 'keys'

type KeyPress = { key: string; ctrlKey: boolean; altKey: boolean; metaKey: boolean }
type FocusState = {
  /** The focus is where text is typed or a choice is made. */
  inField: boolean
  /** The focus is on a row of the list. */
  inList: boolean
  /** Whether letters do something; arrows in the list always do. */
  letters: boolean
}

const LETTERS: Readonly<Record<string, Command>> = {
  j: 'next',
  k: 'previous',
  x: 'select',
  X: 'selectRange',
  e: 'handled',
  a: 'assign',
  n: 'bringIn',
  p: 'pause',
  '?': 'keys',
}
const ARROWS: Readonly<Record<string, Command>> = { ArrowDown: 'next', ArrowUp: 'previous' }

/** The command of a key; null: none, the browser handles the key. */
export function commandOf({ key, ctrlKey, altKey, metaKey }: KeyPress, { inField, inList, letters }: FocusState) {
  if (ctrlKey || altKey || metaKey || inField) return null
  return (inList ? ARROWS[key] : undefined) ?? (letters ? LETTERS[key] : undefined) ?? null
}

/** The keys and what they do, for the people who use them. */
export const KEY_HELP: readonly (readonly [keys: string, does: string])[] = [
  ['j or ↓', 'next entity (arrows: when one has the focus)'],
  ['k or ↑', 'previous entity'],
  ['Enter', 'open the entity'],
  ['x', 'select the entity; with Shift all from the one that was selected last'],
  ['e', 'mark as handled: the selected entities, or the one with the focus; again: open'],
  ['a', 'assign the selected entities, or the one with the focus'],
  ['n', 'show what is new'],
  ['p', 'pause or resume'],
  ['?', 'show these shortcuts'],
]
