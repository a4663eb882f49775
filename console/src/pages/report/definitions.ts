import { api } from '../../api/client.ts'
import type { paths } from '../../api/schema.d.ts'

export type Definition =
  paths['/api/ingest/v1/definitions']['get']['responses'][200]['content']['application/json'][number]

/** The catalogue of types, fetched once. */
export const useDefinitions = () =>
  api.useQuery('get', '/api/ingest/v1/definitions', {}, { staleTime: Number.POSITIVE_INFINITY })

/** `Domain (domain)`, as lists of types say it. */
export const optionsOf = (definitions: readonly Definition[]) =>
  definitions
    .map(({ type, label }) => ({ value: type, label: label.toLowerCase() === type ? label : `${label} (${type})` }))
    .toSorted((a, b) => (a.label < b.label ? -1 : 1))
