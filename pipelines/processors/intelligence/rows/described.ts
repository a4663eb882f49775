import type { Observation, Undescribed } from '../../../../schemas/intelligence/observations/observation.ts'
import type { EntityState } from '../../../../schemas/intelligence/state/entity-state.ts'

export type Locate = (ip: string) => { country: string; asn: number; aso: string }

/** Tags of a row are capped so that no reporter can grow a row without bound; what came first stays. */
const MAX_TAGS = 1000
const NONE: Readonly<Record<string, never>> = Object.freeze({})

/** For each attribute the latest value by observation time (decisions 4). */
export function attributesAfter(before: EntityState | undefined, o: Observation) {
  let attributes: Record<string, string> = before?.attributes ?? NONE
  let attributeTimes: Record<string, number> = before?.attributeTimes ?? NONE
  // Not `for in`: it is compiled for the very shapes it has met, and shapes of records come and go (ADR 282).
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

/** Of tags that a row lost, the last so many are kept: rows by tag were told of the others long ago (ADR 270). */
const MAX_LOST = 5_000
const NO_TAGS: readonly string[] = Object.freeze([])

/** What stands beside these tags of those that the row had or has lost, sorted. */
export function lostTagsAfter(before: EntityState | undefined, tags: readonly string[]): readonly string[] {
  if (before === undefined || (before.lostTags.length === 0 && before.tags === tags)) return before?.lostTags ?? NO_TAGS
  const shown = new Set(tags)
  const lost = new Set([...before.lostTags, ...before.tags].filter((tag) => !shown.has(tag)))
  if (lost.size === 0) return NO_TAGS
  return [...lost].slice(-MAX_LOST).sort()
}

/** The row when nothing counts that was said to its audience: no reader is shown it among others (decisions 17.3). */
const retractedRow = (row: EntityState): EntityState => ({
  ...row,
  retracted: true,
  tags: NO_TAGS,
  lostTags: lostTagsAfter(row, NO_TAGS),
  attributes: NONE,
  attributeTimes: NONE,
  country: '',
  asn: 0,
  aso: '',
})

/** The row as it is, or retracted when neither a claim nor a verdict is left in it. */
export const asItCounts = (row: EntityState): EntityState =>
  row.claims.length === 0 && row.verdict === null ? retractedRow(row) : row

/** The row without what no report that counts gives any more, as a record says; itself when it has changed since. */
export function undescribedRow(
  row: EntityState,
  described: Undescribed | null,
  o: Pick<Observation, 'type' | 'value'>,
  locate: Locate,
): EntityState {
  if (described === null || described.version !== row.version) return row
  const gone = new Set(described.tags)
  const attributes: Record<string, string> = { ...row.attributes }
  const attributeTimes: Record<string, number> = { ...row.attributeTimes }
  for (const [name, again] of Object.entries(described.attributes)) {
    delete attributes[name]
    delete attributeTimes[name]
    if (again === null) continue
    attributes[name] = again.value
    attributeTimes[name] = again.at
  }
  const tags = row.tags.filter((tag) => !gone.has(tag))
  const place = locationOf(o, attributes, undefined, locate)
  return { ...row, tags, lostTags: lostTagsAfter(row, tags), attributes, attributeTimes, ...place }
}

/** Submitted attributes win, else the packaged IP database (decisions 5.2). */
export function locationOf(
  o: Pick<Observation, 'type' | 'value'>,
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
