/**
 * What a producer lets its readers do with a piece of a feed, by the Traffic Light Protocol (2.0), the loosest first.
 * Who may read what is above `green` is for the importer to say (ADR 273).
 */
export const MARKINGS = ['clear', 'green', 'amber', 'amber+strict', 'red'] as const
export type Marking = (typeof MARKINGS)[number]

/** How a marking is written where people read it. */
export const shownMarking = (marking: Marking): string => `TLP:${marking.toUpperCase()}`

const rank = (marking: Marking | undefined): number => (marking === undefined ? 0 : MARKINGS.indexOf(marking))

/** Whether `marking` lets fewer people read than `other`; none is as loose as `clear`. */
export const isStricter = (marking: Marking | undefined, other: Marking | undefined): boolean =>
  rank(marking) > rank(other)

/** Whether everybody may not read it. */
export const isRestricted = (marking: Marking | undefined): boolean => isStricter(marking, 'green')

/** The strictest of several statements; undefined when none is made. */
export const strictest = (...all: readonly (Marking | undefined)[]): Marking | undefined =>
  all.reduce((known, one) => (known === undefined || isStricter(one, known) ? one : known), undefined)

const WORDS: ReadonlyMap<string, Marking> = new Map([
  ['clear', 'clear'],
  ['white', 'clear'],
  ['green', 'green'],
  ['amber', 'amber'],
  ['amber+strict', 'amber+strict'],
  ['amberstrict', 'amber+strict'],
  ['red', 'red'],
])

/** What a word of the protocol means (`RED`, `white`, `amber-strict`); undefined for any other. */
export const markingOfWord = (word: string): Marking | undefined => {
  const plain = word.trim().toLowerCase()
  return WORDS.get(plain) ?? WORDS.get(plain.replaceAll(/[\s_-]/g, ''))
}

const TAG = /^\s*tlp\s*([:=_\s-])\s*(.*?)\s*$/is

/**
 * What a tag says: `tlp:red`, `TLP:AMBER+STRICT`, `tlp:"red"`, `tlp-red`. A word of the protocol's name space that is
 * not known counts as the strictest; other tags say nothing.
 */
export function markingOfTag(tag: string): Marking | undefined {
  const [, separator, quoted] = TAG.exec(tag) ?? []
  if (quoted === undefined) return undefined
  const known = markingOfWord(quoted.replaceAll(/["']/g, ''))
  return known ?? (separator === ':' || separator === '=' ? 'red' : undefined)
}
