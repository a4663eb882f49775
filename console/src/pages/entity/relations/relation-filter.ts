import { definitionOf } from '../../../../../schemas/intelligence/entities/catalogue.ts'
import type { Relation } from '../answers.ts'

const ROWS = 25
/** The platform filters by type, not by mode. A filter by mode reads this many of the newest relations. */
export const LOOKED_AT = 1_000

export type RelationMode = Relation['mode']
export type RelationFilter = { types: string[]; mode: RelationMode | null; page: number }

/** What an address (`?types=ip,domain&mode=aggregation`) says; unknown types and modes are left out. */
export function filterOf(params: URLSearchParams, page: number): RelationFilter {
  const types = (params.get('types') ?? '').split(',').filter((type) => definitionOf(type) !== undefined)
  const mode = params.get('mode')
  return { types, mode: mode === 'aggregation' || mode === 'association' ? mode : null, page }
}

/** The query of the platform that answers a filter. */
export const relationQuery = ({ types, mode, page }: RelationFilter) => ({
  ...(types.length > 0 ? { types: types.join(',') } : {}),
  ...(mode === null ? { page, limit: ROWS } : { page: 1, limit: LOOKED_AT }),
})

type Answer = { items: number; pages: number; results: Relation[] }

/** The page of the answer that the filter means. `cut`: a filter by mode did not read older relations. */
export function filterAnswer(
  { mode, page }: RelationFilter,
  { items, pages, results }: Answer,
): Answer & { cut: boolean } {
  if (mode === null) return { items, pages, results, cut: false }
  const fitting = results.filter((relation) => relation.mode === mode)
  return {
    items: fitting.length,
    pages: Math.ceil(fitting.length / ROWS),
    results: fitting.slice((page - 1) * ROWS, page * ROWS),
    cut: items > results.length,
  }
}
