import type { Json } from '../question/json.ts'

/** The body with one more clause that has to match. */
export function narrow(body: Json, clause: Json): Json {
  const query = (body.query ?? {}) as {
    must?: Json[]
    should?: Json[]
    filter?: Json[]
    minimum_should_match?: unknown
  }
  const must = [...(query.must ?? [])]
  if (must.some((one) => JSON.stringify(one) === JSON.stringify(clause))) return body
  // `should` that stood alone needed one match; beside `must` it would need none.
  const stoodAlone =
    query.should?.length && query.minimum_should_match === undefined && !must.length && !query.filter?.length
  const { search_after: _, ...rest } = body
  return {
    ...rest,
    query: { ...query, must: [...must, clause], ...(stoodAlone ? { minimum_should_match: 1 } : {}) },
  }
}
