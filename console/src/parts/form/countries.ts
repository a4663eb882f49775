/** Countries as people type them: by a name in any case, or by the two-letter code. */

import { countriesByCode, country } from '../../../../schemas/intelligence/entities/datatypes/place.ts'

/** The English names, in their order. */
export const COUNTRY_NAMES: readonly string[] = countriesByCode()
  .map(([, name]) => name)
  .sort((a, b) => a.localeCompare(b, 'en'))

/** Most names that a fault suggests. */
const SUGGESTED = 3
/** So many letters make a suggestion. */
const STEM = 3

export type ReadCountry = { name: string } | { fault: string }

/** The name that the platform uses, or what is wrong with the text and which countries may be meant. */
export function readCountry(text: string): ReadCountry {
  const given = text.trim()
  // Codes are in capitals; what people type is in any case.
  const read = country(given.length === 2 ? given.toUpperCase() : given)
  if (typeof read === 'string') return { name: read }
  const stem = given.toLowerCase().slice(0, STEM)
  const meant =
    stem.length < STEM ? [] : COUNTRY_NAMES.filter((name) => name.toLowerCase().startsWith(stem)).slice(0, SUGGESTED)
  const rest = meant.length === 0 ? '' : ` Did you mean ${meant.join(' or ')}?`
  return { fault: `“${given}” is no country. Enter its English name or its two-letter code, such as DE.${rest}` }
}

/** Several: those that are countries by their names, the others as they are. */
export const readCountries = (texts: readonly string[]): string[] => [
  ...new Set(
    texts.map((text) => {
      const read = readCountry(text)
      return 'name' in read ? read.name : text
    }),
  ),
]

/** What is wrong with the first of several that is none; null: all are countries. */
export function countriesFault(texts: readonly string[]): string | null {
  for (const text of texts) {
    const read = readCountry(text)
    if ('fault' in read) return read.fault
  }
  return null
}

const CODES: ReadonlyMap<string, string> = new Map(countriesByCode().map(([code, name]) => [name, code]))

/** Whether a suggestion fits what is typed: part of the name, or the code. */
export function fitsCountry(name: string, typed: string): boolean {
  const text = typed.trim().toLowerCase()
  return name.toLowerCase().includes(text) || CODES.get(name)?.toLowerCase() === text
}
