import type { Observation } from '../../../../schemas/intelligence/observations/observation.ts'
import type { EntityState } from '../../../../schemas/intelligence/state/entity-state.ts'

export type Locate = (ip: string) => { country: string; asn: number; aso: string }

/** Tags of a row are capped so that no reporter can grow a row without bound; what came first stays. */
const MAX_TAGS = 1000
const NONE: Readonly<Record<string, never>> = Object.freeze({})

/** For each attribute the latest value by observation time (decisions 4). */
export function attributesAfter(before: EntityState | undefined, o: Observation) {
  let attributes: Record<string, string> = before?.attributes ?? NONE
  let attributeTimes: Record<string, number> = before?.attributeTimes ?? NONE
  // Not `for in`: it is compiled for the very shapes it has met, and shapes of records come and go (ADR 151).
  for (const name of Object.keys(o.attributes)) {
    const known = attributeTimes[name]
    if (known !== undefined && known > o.observedAt) continue
    if (attributes === before?.attributes || attributes === NONE) {
      attributes = { ...attributes }
      attributeTimes = { ...attributeTimes }
    }
    attributes[name] = o.attributes[name]!
    attributeTimes[name] = o.observedAt
  }
  return { attributes, attributeTimes }
}

/** The tags of a row and those of an observation, sorted; at most 1,000. */
export function tagsAfter(before: readonly string[] | undefined, tags: readonly string[]): readonly string[] {
  if (before === undefined) return tags
  const fresh = tags.filter((t) => !before.includes(t))
  return fresh.length === 0 ? before : [...before, ...fresh].slice(0, MAX_TAGS).sort()
}

/** Submitted attributes win, else the packaged IP database (decisions 5.2). */
export function locationOf(
  o: Observation,
  attributes: Readonly<Record<string, string>>,
  before: EntityState | undefined,
  locate: Locate,
): { country: string; asn: number; aso: string } {
  if (o.type !== 'ip' && o.type !== 'cidr') return { country: '', asn: 0, aso: '' }
  if (before !== undefined && attributes === before.attributes)
    return { country: before.country, asn: before.asn, aso: before.aso }
  const found = locate(o.type === 'ip' ? o.value : o.value.slice(0, o.value.indexOf('/')))
  const { country, asn, aso } = attributes
  return {
    country: country ?? found.country,
    asn: asn === undefined ? found.asn : asNumber(asn),
    aso: aso ?? found.aso,
  }
}

/** An AS number has 32 bits; the attribute's datatype allows any integer. Outside it counts as unknown. */
function asNumber(text: string): number {
  const n = Number(text)
  return Number.isInteger(n) && n > 0 && n <= 0xffffffff ? n : 0
}
