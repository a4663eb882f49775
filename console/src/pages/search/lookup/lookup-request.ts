import { INDICATOR_KINDS, type IndicatorKind } from '../../../parts/indicators/kinds.ts'
import type { Json } from '../question/json.ts'

/** How one pasted value is looked for: in every attribute, or by clauses. */
export type LookupRequest = { route: 'simple'; body: { query: string } } | { route: 'advanced'; body: Json }

/**
 * What a value is looked for as. What is recognised is looked for in every attribute; what the reader has chosen
 * (`chosen`), and numbers of autonomous systems, which are like any other number, in attributes of that kind alone.
 */
export function lookupRequest(kind: IndicatorKind, value: string, chosen: boolean): LookupRequest {
  if (kind === 'id') return { route: 'advanced', body: { query: { filter: [{ term: { entityID: value } }] } } }
  const { types } = INDICATOR_KINDS[kind]
  if (types.length === 0 || (!chosen && kind !== 'asn')) return { route: 'simple', body: { query: value } }
  return {
    route: 'advanced',
    body: { query: { should: types.map((type) => ({ term: { [`attributes.${type}`]: value } })) } },
  }
}
