import { useQuery } from '@tanstack/react-query'
import { client } from '../../../api/client.ts'
import { asProblem } from '../../../api/problem.ts'
import type { paths } from '../../../api/schema.d.ts'
import type { RecognisedValue } from '../../../parts/indicators/recognise.ts'
import { lookupBodies } from './pasted.ts'

type Lookup = paths['/api/search/v1/entities/lookup']['post']['responses'][200]['content']['application/json']
export type LookupResult = Lookup['results'][number]
export type Entity = LookupResult['entities'][number]

/** The known entities of many values. `failed`: a look-up failed after `requested` values. */
export type LookupResults = {
  known: Map<string, LookupResult>
  unrecognised: Set<string>
  requested: number
  failed: unknown
  ms: number
}

/** Looks up values one body after the other. Rejects with a Problem when the first one is refused. */
async function lookUp(values: readonly string[], signal: AbortSignal): Promise<LookupResults> {
  const many: LookupResults = { known: new Map(), unrecognised: new Set(), requested: 0, failed: null, ms: 0 }
  const begun = performance.now()
  for (const body of lookupBodies(values)) {
    try {
      const { data } = await client.POST('/api/search/v1/entities/lookup', { body: { values: body }, signal })
      for (const one of data!.results) many.known.set(one.value, one)
      for (const value of data!.unrecognised) many.unrecognised.add(value)
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
