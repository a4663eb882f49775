import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { Reader } from 'mmdb-lib'
import { formatIpv4, parseIpv4 } from '../../schemas/intelligence/entities/datatypes/ipv4.ts'
import { countryName } from '../../schemas/intelligence/entities/datatypes/place.ts'
import { asnTable } from './asn.ts'
import { ipv6Words, mappedIpv4 } from './geo-address.ts'
import type { Geo, Location } from './port.ts'

/** English name of the country of an IPv4 or IPv6 address that was checked before; `''` when not known. */
type CountryOf = (address: string) => string

type CountryRecord = { country_code?: string; country?: { iso_code?: string } }

/**
 * A MaxMind DB with one country per network: `country_code` at the top, or MaxMind's own `country.iso_code`.
 * Records are few (one per country), so decoded ones are kept.
 */
function countryReader(database: Buffer): { countryOf: CountryOf; date: string } {
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

export type GeoOptions = {
  /** MaxMind DB of countries. Default: that of `@ip-location-db/geo-whois-asn-country-mmdb`. */
  countryPath?: string
  /** CSV of IPv4 ranges, decimal. Default: that of `@ip-location-db/asn`; `asnIpv6Path` the same for IPv6. */
  asnIpv4Path?: string
  asnIpv6Path?: string
}

const NOWHERE: Location = Object.freeze({ country: '', asn: 0, aso: '' })

/**
 * The address database that comes with the installation: read whole and once, then answered from memory.
 * @throws when a file is missing or malformed, with its path.
 */
export function packagedGeo(options: GeoOptions = {}): Geo {
  const require = createRequire(import.meta.url)
  const countryPath =
    options.countryPath ?? require.resolve('@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country.mmdb')
  const ipv4Path = options.asnIpv4Path ?? require.resolve('@ip-location-db/asn/asn-ipv4-num.csv')
  const ipv6Path = options.asnIpv6Path ?? require.resolve('@ip-location-db/asn/asn-ipv6-num.csv')
  const countries = loading(countryPath, () => countryReader(readFileSync(countryPath)))
  const systems = loading(`${ipv4Path}, ${ipv6Path}`, () => asnTable(readFileSync(ipv4Path), readFileSync(ipv6Path)))

  const locateIpv4 = (number: number, text: string): Location => {
    const country = countries.countryOf(text)
    const system = systems.ipv4(number)
    if (system !== undefined) return { country, asn: system.asn, aso: system.aso }
    return country === '' ? NOWHERE : { country, asn: 0, aso: '' }
  }
  const locateIpv6 = (text: string): Location => {
    const words = ipv6Words(text)
    if (words === undefined) return NOWHERE
    const mapped = mappedIpv4(words)
    if (mapped >= 0) return locateIpv4(mapped, formatIpv4(mapped))
    return { country: countries.countryOf(text), ...(systems.ipv6(words) ?? { asn: 0, aso: '' }) }
  }
  return {
    locate(address) {
      const slash = address.indexOf('/')
      const text = slash === -1 ? address : address.slice(0, slash)
      const number = parseIpv4(text)
      if (number >= 0) return locateIpv4(number, text)
      return text.includes(':') ? locateIpv6(text) : NOWHERE
    },
    date: countries.date,
  }
}

/** The one of this process: reading it takes half a second. */
let kept: Geo | undefined

/**
 * The database of the installation, read when it is first asked and once for the whole process: one that never asks keeps
 * no table in memory.
 */
export const geoWhenAsked = (): Pick<Geo, 'locate'> => ({
  locate(address) {
    kept ??= packagedGeo()
    return kept.locate(address)
  },
})

function loading<T>(path: string, load: () => T): T {
  try {
    return load()
  } catch (cause) {
    throw new Error(`address data ${path}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
  }
}

/** The day of the packaged data, `YYYY-MM-DD`, for display. */
export function packagedGeoDate(): string {
  const path = createRequire(import.meta.url).resolve(
    '@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country.mmdb',
  )
  return loading(path, () => countryReader(readFileSync(path)).date)
}
