import { Reader } from 'mmdb-lib'

/** English name of the country of an IPv4 or IPv6 address that was checked before; `''` when not known. */
export type CountryOf = (address: string) => string

type CountryRecord = { country_code?: string; country?: { iso_code?: string } }

/**
 * A MaxMind DB with one country per network: `country_code` at the top, or MaxMind's own `country.iso_code`.
 * Records are few (one per country), so decoded ones are kept.
 */
export function countryReader(database: Buffer): { countryOf: CountryOf; date: string } {
  const decoded = new Map<string | number, unknown>()
  const cache = {
    get: (key: string | number) => decoded.get(key),
    set: (key: string | number, value: unknown) => void decoded.set(key, value),
  }
  const reader = new Reader<never>(database, { cache })
  const names = countryNames()
  return {
    countryOf(address) {
      const record = reader.get(address) as CountryRecord | null
      const code = record?.country_code ?? record?.country?.iso_code
      return code === undefined ? '' : names(code)
    },
    date: reader.metadata.buildEpoch.toISOString().slice(0, 10),
  }
}

/** ISO 3166 alpha-2 code to English name; `''` for codes that stand for no country (`ZZ`, `AP`). */
function countryNames(): (code: string) => string {
  const display = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' })
  const known = new Map<string, string>([['ZZ', '']])
  return (code) => {
    let name = known.get(code)
    if (name === undefined) {
      name = /^[A-Z]{2}$/.test(code) ? (display.of(code) ?? '') : ''
      known.set(code, name)
    }
    return name
  }
}
