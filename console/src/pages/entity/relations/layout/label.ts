/** What stands beside a mark, and how wide that is in units of the drawing. */

/** A little more than a monospace font of the size of labels needs: a label never leaves its box. */
const NARROW = 8
const WIDE = 14
export const MOST_WIDTH = 26 * NARROW
/** More of a value never fits. */
const READ = 200

/** Other letters are as wide as they are high, at most. */
const IS_NARROW = /[\u0020-\u024f\u2026]/

const widthOf = (letters: readonly string[]): number =>
  letters.reduce((sum, letter) => sum + (IS_NARROW.test(letter) ? NARROW : WIDE), 0)

/** Control characters and marks would change what is drawn around them. */
const lettersOf = (text: string): string[] =>
  [...text].map((letter) => (/[\p{C}\p{M}\p{Z}]/u.test(letter) ? ' ' : letter))

/** The value, with its middle left out where it is too long: the ends of digests, names and URLs tell them apart. */
export function shortLabel(value: string): { text: string; width: number } {
  const letters = lettersOf(value.slice(0, READ))
  if (value.length <= READ && widthOf(letters) <= MOST_WIDTH) return { text: letters.join(''), width: widthOf(letters) }
  const ending = lettersOf(value.slice(-READ))
  let shown = ['…']
  // Two letters of the beginning for each one of the end.
  for (let head = 1, tail = 0; head + tail < READ; head + 1 > 2 * (tail + 1) ? tail++ : head++) {
    const longer = [...letters.slice(0, head), '…', ...(tail === 0 ? [] : ending.slice(-tail))]
    if (widthOf(longer) > MOST_WIDTH) break
    shown = longer
  }
  return { text: shown.join(''), width: widthOf(shown) }
}
