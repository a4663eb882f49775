import type { Clause } from '../../../../schemas/intelligence/search/clause.ts'
import { type At, someValueOrWord, type Test } from './field-tests.ts'

type Of<Kind extends Clause['is']> = Extract<Clause, { is: Kind }>

/** Begins with the text; words are in lower case, and so is what they are compared with. */
export function prefix({ field, text, caseless }: Of<'prefix'>, at: At): string {
  const lower = at.b.bind(text.toLowerCase(), 'String')
  const given = at.b.bind(text, 'String')
  return someValueOrWord(
    field,
    at,
    (v) => (caseless ? `startsWith(lowerUTF8(${v}), ${lower})` : `startsWith(${v}, ${given})`),
    (w) => `startsWith(${w}, ${lower})`,
  )
}

/** The pattern from the first to the last character; `.` is any, line ends too. On words the case of it is ignored. */
export function regexp({ field, pattern, caseless }: Of<'regexp'>, at: At): string {
  const matches =
    (flags: string): Test =>
    (v) =>
      `match(${v}, ${at.b.bind(`(?${flags})^(?:${pattern})$`, 'String')})`
  return someValueOrWord(field, at, matches(caseless ? 'is' : 's'), matches('is'))
}

/**
 * Longest text, in code points, of which others may differ: the distance of two texts takes the product of their
 * lengths, for every row. A longer one has to be equal.
 */
export const MAX_FUZZY = 128

export function fuzzy({ field, text, edits, prefixLength }: Of<'fuzzy'>, at: At): string {
  const near =
    (whole: string): Test =>
    (v) => {
      const points = [...whole]
      const sought = at.b.bind(whole, 'String')
      if (edits === 0 || points.length > MAX_FUZZY) return `${v} = ${sought}`
      // The engine counts bytes, not characters, from an empty text.
      if (points.length === 0) return `lengthUTF8(${v}) <= ${edits}`
      const least = Math.max(0, points.length - edits)
      const most = points.length + edits
      const begins =
        prefixLength === 0
          ? ''
          : `startsWith(${v}, ${at.b.bind(points.slice(0, prefixLength).join(''), 'String')}) AND `
      // The engine refuses long texts, and may look at a value that the conditions before have ruled out.
      const short = `if(lengthUTF8(${v}) <= ${most}, ${v}, '')`
      return `(${begins}lengthUTF8(${v}) BETWEEN ${least} AND ${most} AND editDistanceUTF8(${short}, ${sought}) <= ${edits})`
    }
  return someValueOrWord(field, at, near(text), near(text.toLowerCase()))
}
