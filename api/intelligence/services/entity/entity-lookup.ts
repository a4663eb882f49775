import { type LookupSource, TooManyBytes } from '../../../../connectors/lookups/port.ts'
import { type LookupForm, lookupForms } from '../../../../schemas/intelligence/ingest/lookup-forms.ts'
import { builtIn, type Scoring } from '../../../../schemas/intelligence/scoring/rules.ts'
import { type PresentView, presentViews } from '../../../../schemas/intelligence/state/present.ts'
import type { Reader } from '../readers.ts'
import type { Covering, Coverings } from './covering.ts'
import { entityRecord, type RecordView } from './entity-record.ts'

/** Most bytes of rows that one look-up reads, and of records that it answers with. */
const MAX_BYTES = 64 * 1024 * 1024

export class LookupTooLarge extends Error {}

type Record = ReturnType<typeof entityRecord>

export type Lookup = {
  /** Values that were found. */
  items: number
  /** Values with the form of an indicator that were not. */
  missing: number
  /** Values without: as given. */
  unrecognised: string[]
  results: { value: string; entities: Record[]; coveredBy?: Covering[] }[]
}

type LookupPlan = {
  value: string
  indicator: boolean
  ip: string | null
  forms: LookupForm[]
}

/** Exact look-up of many values at once, each of any type and spelling, as logs have them (ADR 102). */
export function entityLookup(lookups: LookupSource, networks: Coverings, scoring: Scoring = builtIn) {
  /** By value: what the reader is shown of the entities of any type with that value. */
  async function known(reader: Reader, values: ReadonlySet<string>): Promise<Map<string, PresentView[]>> {
    const found = await (await lookups.next())
      .wholeRows(values, reader.audiences, MAX_BYTES)
      .catch((error: unknown) => {
        throw error instanceof TooManyBytes ? tooLarge() : error
      })
    const rules = await scoring()
    return new Map(Array.from(found, ([value, rows]) => [value, presentViews(rows, rules)]))
  }

  /**
   * What is known of each distinct value, in the order given. At most 10,000 values: their keys stand in one query.
   * Throws LookupTooLarge.
   */
  return async (reader: Reader, values: readonly string[]): Promise<Lookup> => {
    const plans = plansOf(values)
    const asked = new Set(plans.flatMap(({ forms }) => forms.map((form) => form.value)))
    const ips = plans.flatMap(({ ip }) => ip ?? [])
    const [views, around] = await Promise.all([known(reader, asked), networks.covering(reader, ips)])
    const found: Lookup = { items: 0, missing: 0, unrecognised: [], results: [] }
    let bytes = 0
    for (const { value, indicator, forms, ip } of plans) {
      const entities = entitiesOf(forms, views)
      const coveredBy = ip === null ? undefined : around.get(ip)
      if (entities.length > 0) found.items++
      else if (indicator) found.missing++
      else found.unrecognised.push(value)
      if (entities.length > 0 || coveredBy !== undefined) {
        // Many spellings of one value would repeat one large record as often.
        bytes += entities.reduce((sum, view) => sum + weight(view), 0)
        if (bytes > MAX_BYTES) throw tooLarge()
        const records = entities.toSorted(byId).map(entityRecord)
        found.results.push({ value, entities: records, ...(coveredBy !== undefined && { coveredBy }) })
      }
    }
    return found
  }
}

export type EntityLookup = ReturnType<typeof entityLookup>

/** Views of the types that a value may be of. Most values have none, and take no list of their own. */
function entitiesOf(forms: readonly LookupForm[], views: ReadonlyMap<string, RecordView[]>): readonly RecordView[] {
  let found: RecordView[] = NONE
  for (const { value, types } of forms)
    for (const view of views.get(value) ?? NONE)
      if (types.has(view.type)) {
        if (found === NONE) found = []
        found.push(view)
      }
  return found
}

const NONE: RecordView[] = []

function plansOf(values: readonly string[]): LookupPlan[] {
  return [...new Set(values)].map((value) => {
    const { forms: read, indicator } = lookupForms(value)
    // As it is stored: half a surrogate pair is no UTF-8.
    const forms = read.map((form) => ({ ...form, value: form.value.toWellFormed() }))
    const ip = forms.find(({ types }) => types.has('ip'))?.value ?? null
    return { value, indicator, ip, forms }
  })
}

/** About the bytes of a record in the answer. */
function weight({ value, attributes, tags }: RecordView): number {
  let bytes = 400 + value.length
  for (const name in attributes) bytes += name.length + attributes[name]!.length
  for (const tag of tags) bytes += tag.length
  return bytes
}

const byId = (a: RecordView, b: RecordView): number => (a.entityId < b.entityId ? -1 : 1)

const tooLarge = () => new LookupTooLarge('the answer would be too large; look up fewer values per request')
