import countries from '../countries.json' with { type: 'json' }
import { type Normalised, refuse } from '../refusal.ts'
import { hasControl } from './bounds.ts'

/** Other English names in use, and the ISO 3166-1 code each stands for. */
export const COUNTRY_ALIASES: Readonly<Record<string, string>> = {
  'United States of America': 'US',
  USA: 'US',
  'U.S.': 'US',
  UK: 'GB',
  'Great Britain': 'GB',
  'United Kingdom of Great Britain and Northern Ireland': 'GB',
  'Russian Federation': 'RU',
  'Republic of Korea': 'KR',
  'Korea, Republic of': 'KR',
  "Democratic People's Republic of Korea": 'KP',
  "Korea, Democratic People's Republic of": 'KP',
  "People's Republic of China": 'CN',
  'Hong Kong SAR China': 'HK',
  Macau: 'MO',
  'Macao SAR China': 'MO',
  'Taiwan, Province of China': 'TW',
  'Viet Nam': 'VN',
  Turkey: 'TR',
  'Czech Republic': 'CZ',
  Burma: 'MM',
  'Myanmar (Burma)': 'MM',
  'Iran, Islamic Republic of': 'IR',
  'Islamic Republic of Iran': 'IR',
  'Syrian Arab Republic': 'SY',
  "Lao People's Democratic Republic": 'LA',
  'Moldova, Republic of': 'MD',
  'Republic of Moldova': 'MD',
  Macedonia: 'MK',
  'Venezuela, Bolivarian Republic of': 'VE',
  'Bolivarian Republic of Venezuela': 'VE',
  'Bolivia, Plurinational State of': 'BO',
  'Plurinational State of Bolivia': 'BO',
  'Tanzania, United Republic of': 'TZ',
  'United Republic of Tanzania': 'TZ',
  'Brunei Darussalam': 'BN',
  'Ivory Coast': 'CI',
  'Cabo Verde': 'CV',
  Swaziland: 'SZ',
  'East Timor': 'TL',
  'Congo - Kinshasa': 'CD',
  'Congo, Democratic Republic of the': 'CD',
  'Congo, The Democratic Republic of the': 'CD',
  'DR Congo': 'CD',
  'Congo - Brazzaville': 'CG',
  Congo: 'CG',
  'Palestinian Territories': 'PS',
  'State of Palestine': 'PS',
  'Palestine, State of': 'PS',
  'Palestinian Territory': 'PS',
  'Holy See': 'VA',
  Vatican: 'VA',
  'Micronesia, Federated States of': 'FM',
  'Federated States of Micronesia': 'FM',
  'Cocos (Keeling) Islands': 'CC',
  'Falkland Islands (Malvinas)': 'FK',
  'Saint Martin (French part)': 'MF',
  'Sint Maarten (Dutch part)': 'SX',
  'Saint Vincent and the Grenadines': 'VC',
  'South Georgia and the South Sandwich Islands': 'GS',
  'Heard Island and McDonald Islands': 'HM',
  'Bonaire, Sint Eustatius and Saba': 'BQ',
  'Saint Helena, Ascension and Tristan da Cunha': 'SH',
  'United States Minor Outlying Islands': 'UM',
  'Virgin Islands, British': 'VG',
  'Virgin Islands, U.S.': 'VI',
  Pitcairn: 'PN',
  Åland: 'AX',
  Holland: 'NL',
}

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
