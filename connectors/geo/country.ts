import { Reader } from 'mmdb-lib'
import { countryName } from '../../schemas/intelligence/entities/datatypes/place.ts'

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
  return {
    countryOf(address) {
      const record = reader.get(address) as CountryRecord | null
      const code = record?.country_code ?? record?.country?.iso_code
      return code === undefined ? '' : (countryName(code) ?? '')
    },
    date: reader.metadata.buildEpoch.toISOString().slice(0, 10),
  }
}
