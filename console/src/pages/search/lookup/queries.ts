import { useQuery } from '@tanstack/react-query'
import { client } from '../../../api/client.ts'
import { asProblem } from '../../../api/problem.ts'
import type { paths } from '../../../api/schema.d.ts'
import type { RecognisedValue } from '../../../parts/indicators/recognise.ts'
import { lookupBodies } from './pasted.ts'

type Lookup = paths['/api/search/v1/entities/lookup']['post']['responses'][200]['content']['application/json']
export type LookupResult = Lookup['results'][number]
export type Entity = LookupResult['entities'][number]

type Verdict =
  paths['/api/search/v1/reputation']['post']['responses'][200]['content']['application/json']['items'][number]
/** The network, parent domain or host that a value has its score from. */
export type Decider = NonNullable<Verdict['by']> & Pick<Verdict, 'reputation' | 'accuracy' | 'tags'>

/**
 * The known entities of many values. `failed`: a look-up failed after `requested` values. `deciders`: of values that do not
 * decide for themselves; `askedAbove`: whether all of those could be asked for.
 */
export type LookupResults = {
  known: Map<string, LookupResult>
  deciders: Map<string, Decider>
  askedAbove: boolean
  unrecognised: Set<string>
  requested: number
  failed: unknown
  ms: number
}

/** Looks up values one body after the other. Rejects with a Problem when the first one is refused. */
async function lookUp(values: readonly string[], signal: AbortSignal): Promise<LookupResults> {
  const many: LookupResults = {
    known: new Map(),
    deciders: new Map(),
    askedAbove: true,
    unrecognised: new Set(),
    requested: 0,
    failed: null,
    ms: 0,
  }
  const begun = performance.now()
  for (const body of lookupBodies(values)) {
    try {
      const { data } = await client.POST('/api/search/v1/entities/lookup', { body: { values: body }, signal })
      for (const one of data!.results) many.known.set(one.value, one)
      for (const value of data!.unrecognised) many.unrecognised.add(value)
      const open = body.filter((value) => !many.unrecognised.has(value) && !decides(many.known.get(value)))
      const above = await decidersOf(open, signal)
      if (above === null) many.askedAbove = false
      for (const [value, decider] of above ?? []) many.deciders.set(value, decider)
      many.requested += body.length
    } catch (thrown) {
      if (many.requested === 0 || signal.aborted) throw thrown
      many.failed = thrown
      break
    }
  }
  many.ms = Math.round(performance.now() - begun)
  return many
}

/** Where `askedAbove` is false. */
export const NOT_ASKED_ABOVE = '; networks, parent domains and hosts could not be asked'

/** Whether one of its entities says how good or bad a value is. */
const decides = (result: LookupResult | undefined): boolean =>
  result?.entities.some(({ reputation, wellKnown }) => reputation !== 0 || wellKnown) ?? false

/** What is above these values and decides for them (decisions 18.3); null: it could not be asked, and is left out. */
async function decidersOf(values: string[], signal: AbortSignal): Promise<Map<string, Decider> | null> {
  if (values.length === 0) return new Map()
  try {
    const { data } = await client.POST('/api/search/v1/reputation', { body: { values }, signal })
    const { items } = data as { items: Verdict[] }
    return new Map(
      items.flatMap(({ value, by, reputation, accuracy, tags }) =>
        by === undefined ? [] : [[value, { ...by, reputation, accuracy, tags }]],
      ),
    )
  } catch (thrown) {
    if (signal.aborted) throw thrown
    return null
  }
}

/** What decides for one value, where its own entities do not; undefined while that is not known. */
export const useDecider = (value: string, known: LookupResult | undefined) =>
  useQuery({
    queryKey: ['decider', value],
    queryFn: async ({ signal }) => (await decidersOf([value], signal))?.get(value) ?? null,
    enabled: known !== undefined && !decides(known) && value !== '' && value.length <= 2_048,
    retry: false,
  })

export const useLookup = (values: readonly string[]) =>
  useQuery({ queryKey: ['lookup', values], queryFn: ({ signal }) => lookUp(values, signal), retry: false })

/** The entities that a value is the main value of, narrowed to the types that it is taken for; none: null value. */
export const useExactLookup = ({ kind, value }: RecognisedValue, types: readonly string[] | null) =>
  useQuery({
    queryKey: ['exact', kind, value],
    queryFn: async ({ signal }): Promise<LookupResult> => {
      if (kind === 'id')
        return oneEntity(
          () => client.GET('/api/search/v1/entity/{id}', { params: { path: { id: value } }, signal }),
          value,
        )
      // The look-up route treats a number as a word.
      if (kind === 'asn')
        return oneEntity(() => client.POST('/api/search/v1/entity', { body: { type: 'asn', value }, signal }), value)
      const { data } = await client.POST('/api/search/v1/entities/lookup', { body: { values: [value] }, signal })
      return data!.results[0] ?? { value, entities: [] }
    },
    select: (known) =>
      types === null ? known : { ...known, entities: known.entities.filter(({ type }) => types.includes(type)) },
    enabled: value !== '' && value.length <= 2_048,
    retry: false,
  })

async function oneEntity(
  get: () => Promise<{ data?: Entity & { coveredBy?: LookupResult['coveredBy'] } }>,
  value: string,
): Promise<LookupResult> {
  try {
    const { data } = await get()
    const { coveredBy, ...entity } = data!
    return { value, entities: [entity], ...(coveredBy ? { coveredBy } : {}) }
  } catch (thrown) {
    if (asProblem(thrown).status === 404) return { value, entities: [] }
    throw thrown
  }
}
