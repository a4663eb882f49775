import countries from '../countries.json' with { type: 'json' }
import { type Normalised, refuse } from '../refusal.ts'
import { hasControl } from './bounds.ts'
import { COUNTRY_ALIASES } from './country-aliases.ts'

const NOT_A_COUNTRY = refuse('must be the English name or the two-letter ISO 3166 code of a country')
const NOT_A_CITY = refuse('must be the English name of a city')
const MAX_NAME_LENGTH = 256

/**
 * The names are data of ours, not `Intl`'s: they are part of entity ids, and ICU renames countries between releases.
 * ISO 3166-1 code to English name.
 */
const NAMES: ReadonlyMap<string, string> = new Map(Object.entries(countries))

/** Two names that differ only in case, accents, punctuation or `&` are one country. */
const foldName = (name: string): string =>
  name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('&', ' and ')
    .replace(/\bst(?=\.? )/g, 'saint')
    .replace(/[^\p{L}]+/gu, ' ')
    .replace(/^ ?the /, '')
    .trim()

const BY_NAME: ReadonlyMap<string, string> = new Map([
  ...[...NAMES].map(([code, name]) => [code.toLowerCase(), name] as const),
  ...[...NAMES.values()].map((name) => [foldName(name), name] as const),
  // As they are written already: folding takes longer than the rest of a report's attributes.
  ...[...NAMES.values()].map((name) => [name, name] as const),
  ...Object.entries(COUNTRY_ALIASES).map(([alias, code]) => [foldName(alias), NAMES.get(code) as string] as const),
])

/** English name of an ISO 3166-1 two-letter code in upper case; undefined when nothing has that code. */
export const countryName = (code: string): string | undefined => NAMES.get(code)

/** Every ISO 3166-1 two-letter code with its English name. */
export const countriesByCode = (): readonly (readonly [code: string, name: string])[] => [...NAMES]

/** The canonical English name, from any spelling of it that is known here or from the two-letter code. */
export function country(raw: string): Normalised {
  if (raw.length > MAX_NAME_LENGTH) return NOT_A_COUNTRY
  return NAMES.get(raw) ?? BY_NAME.get(raw) ?? BY_NAME.get(foldName(raw)) ?? NOT_A_COUNTRY
}

const WORD = /(?<![\p{L}\p{M}\p{N}'’])\p{L}/gu

/** Title case: every word begins with a capital, single spaces between words. */
export function city(raw: string): Normalised {
  if (raw.length > MAX_NAME_LENGTH || hasControl(raw) || !/\p{L}/u.test(raw)) return NOT_A_CITY
  const words = raw.toLowerCase().replace(/\s+/g, ' ')
  return words.replace(WORD, (letter) => {
    const capital = letter.toUpperCase()
    // A letter without a capital of its own (the sharp s) would become two, and one more on the next reading.
    return capital.toLowerCase() === letter ? capital : letter
  })
}
