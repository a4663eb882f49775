import type { History } from '../../../../connectors/history/port.ts'
import { type ShownRow, shownRows } from '../../../../connectors/history/sql/queries/entities.ts'
import { entityId } from '../../../../schemas/intelligence/entities/id.ts'
import { type LookupForm, lookupForms } from '../../../../schemas/intelligence/ingest/lookup-forms.ts'
import { builtIn, type Scoring } from '../../../../schemas/intelligence/scoring/rules.ts'
import { entityKey } from '../../../../schemas/intelligence/state/entity-state.ts'
import type { Reader } from '../readers.ts'
import type { Covering, Coverings } from './covering.ts'
import { entityRecord, type RecordView, viewOf } from './entity-record.ts'
import { foldVisibleRows } from './visible-rows.ts'

/** Most bytes of rows that one look-up reads, and of records that it answers with. */
const MAX_BYTES = 64 * 1024 * 1024

/** Error code of the store for a query with rows that are too large. */
const TOO_LARGE = '396'

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
  forms: { digest: string; types: LookupForm['types'] }[]
}

/** Exact look-up of many values at once, each of any type and spelling, as logs have them (ADR 102). */
export function entityLookup(history: Pick<History, 'query'>, networks: Coverings, scoring: Scoring = builtIn) {
  /** By digest: what the reader is shown of the entities of any type with that value. */
  async function known(reader: Reader, digests: readonly string[]): Promise<Map<string, RecordView[]>> {
    if (digests.length === 0) return new Map()
    const keys = [...new Set(digests.map(entityKey))]
    const rows = await history
      .query<ShownRow>(shownRows(keys, reader.audiences, MAX_BYTES))
      .catch((error: { code?: unknown }) => {
        throw error.code === TOO_LARGE ? tooLarge() : error
      })
    const { single, folded } = await foldVisibleRows(history, rows, reader.audiences, scoring)
    return Map.groupBy([...single.map(viewOf), ...folded], (view) => view.entityId.slice(-64))
  }

  /**
   * What is known of each distinct value, in the order given. At most 10,000 values: their keys stand in one query.
   * Throws LookupTooLarge.
   */
  return async (reader: Reader, values: readonly string[]): Promise<Lookup> => {
    const plans = plansOf(values)
    const digests = new Set(plans.flatMap(({ forms }) => forms.map(({ digest }) => digest)))
    const ips = plans.flatMap(({ ip }) => ip ?? [])
    const [views, around] = await Promise.all([known(reader, [...digests]), networks.covering(reader, ips)])
    const found: Lookup = { items: 0, missing: 0, unrecognised: [], results: [] }
    let bytes = 0
    for (const { value, indicator, forms, ip } of plans) {
      const entities = forms.flatMap(({ digest, types }) => (views.get(digest) ?? []).filter((v) => types.has(v.type)))
      const coveredBy = ip === null ? undefined : around.get(ip)
      if (entities.length > 0) found.items++
      else if (indicator) found.missing++
      else found.unrecognised.push(value)
      if (entities.length > 0 || coveredBy !== undefined) {
        // Many spellings of one value would repeat one large record as often.
        bytes += entities.reduce((sum, view) => sum + weight(view), 0)
        if (bytes > MAX_BYTES) throw tooLarge()
        const records = entities.sort(byId).map(entityRecord)
        found.results.push({ value, entities: records, ...(coveredBy !== undefined && { coveredBy }) })
      }
    }
    return found
  }
}

export type EntityLookup = ReturnType<typeof entityLookup>

function plansOf(values: readonly string[]): LookupPlan[] {
  const digests = new Map<string, string>()
  const digestOf = (value: string): string => {
    const known = digests.get(value)
    if (known !== undefined) return known
    const digest = entityId('', value).slice(-64)
    digests.set(value, digest)
    return digest
  }
  return [...new Set(values)].map((value) => {
    const { forms, indicator } = lookupForms(value)
    const ip = forms.find(({ types }) => types.has('ip'))?.value ?? null
    return { value, indicator, ip, forms: forms.map((form) => ({ digest: digestOf(form.value), types: form.types })) }
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
