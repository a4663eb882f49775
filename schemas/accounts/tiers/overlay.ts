/** An operator's tiers file, laid over the built-in values key by key (decisions 6.5). */

import { type Entries, FIRST_TIER, type LimitEntry, type QuotaEntry, type Tiers, UNLIMITED } from './tiers.ts'
import { LIMIT_WINDOWS, OPEN, WINDOWS } from './windows.ts'

/** Names that fit into a path segment and a counter's key. */
export const NAME = '^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$'
const nameLike = new RegExp(NAME)

/** Far above any use, and exact in every place that computes with it, multiplied too. */
const MAX_VALUE = 1_000_000_000_000

type Fields = Record<string, unknown>
type Entry = QuotaEntry & Partial<LimitEntry>

/** A known key is counted by the code that knows it, in windows or at once: a file cannot change which of them. */
function windowsFor(base: Entry | undefined): readonly string[] {
  if (base === undefined) return LIMIT_WINDOWS
  return base.window === OPEN ? [OPEN] : WINDOWS
}

/**
 * `tiers` with the values of the parsed file. Values that the file does not have stay; unknown services and keys are
 * kept; a tier that is not built in starts from the first one. Throws an Error that lists every fault with its place.
 */
export function layOver(tiers: Tiers, file: unknown): Tiers {
  const faults: string[] = []
  const fault = (place: string, why: string): void => void faults.push(`${place} ${why}`)

  const fields = (value: unknown, place: string, known?: readonly string[]): [string, unknown][] => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      fault(place, 'must be an object')
      return []
    }
    return Object.entries(value).filter(([name]) => {
      const fits = known === undefined ? nameLike.test(name) && name !== '__proto__' : known.includes(name)
      if (!fits) fault(`${place}.${name}`, known === undefined ? 'is not a usable name' : 'is unknown')
      return fits
    })
  }

  const entry = (base: Entry | undefined, given: unknown, place: string, windowed: boolean): Entry => {
    const known = windowed ? ['value', 'window', 'description'] : ['value', 'description']
    const merged: Fields = { description: '', ...base, ...Object.fromEntries(fields(given, place, known)) }
    const { value, window, description } = merged
    if (!Number.isInteger(value) || (value as number) < UNLIMITED || (value as number) > MAX_VALUE)
      fault(`${place}.value`, `must be an integer from -1 to ${MAX_VALUE}`)
    const windows = windowsFor(base)
    if (windowed && !windows.includes(window as never)) fault(`${place}.window`, `must be one of ${windows.join(', ')}`)
    if (typeof description !== 'string' || description.length > 1000)
      fault(`${place}.description`, 'must be a text of at most 1000 characters')
    return merged as Entry
  }

  const part = (base: Entries<Entry>, given: unknown, place: string, windowed: boolean): Entries<Entry> => {
    const merged = { ...base }
    for (const [service, features] of fields(given, place)) {
      const before = Object.hasOwn(base, service) ? base[service]! : {}
      const after = { ...before }
      for (const [key, value] of fields(features, `${place}.${service}`)) {
        const known = Object.hasOwn(before, key) ? before[key] : undefined
        after[key] = entry(known, value, `${place}.${service}.${key}`, windowed)
      }
      merged[service] = after
    }
    return merged
  }

  const result: Tiers = { ...tiers }
  const root = Object.fromEntries(fields(file, 'file', ['tiers']))
  for (const [name, given] of fields(root.tiers, 'tiers')) {
    const base = Object.hasOwn(tiers, name) ? tiers[name]! : tiers[FIRST_TIER]!
    const parts = Object.fromEntries(fields(given, `tiers.${name}`, ['limits', 'quotas']))
    result[name] = {
      limits: part(base.limits, parts.limits ?? {}, `tiers.${name}.limits`, true) as Entries<LimitEntry>,
      quotas: part(base.quotas, parts.quotas ?? {}, `tiers.${name}.quotas`, false),
    }
  }
  if (faults.length > 0) throw new Error(`bad tiers:\n${faults.map((line) => `  ${line}`).join('\n')}`)
  return result
}
