import { fault } from './fault.ts'
import type { SurfaceName } from './fields.ts'

/** Most clauses of a request; a term that is held against several fields counts once for each. */
const MAX_CLAUSES = 1024
/** Most bool clauses, groups of query strings and aggregations inside each other. */
const MAX_DEPTH = 20

/** What the reading of one request shares. */
export type Reading = {
  readonly surface: SurfaceName
  /** Unix milliseconds, the same for the whole request. */
  readonly now: number
  clauses: number
  aggregations: number
  /** What the regular expressions of the request may still cost (regexp.ts). */
  regexpBudget: number
}

/** Takes clauses from the bound of the request. */
export function count(reading: Reading, path: string, clauses = 1): void {
  reading.clauses += clauses
  if (reading.clauses > MAX_CLAUSES)
    fault(path, `exceeds the maximum of ${MAX_CLAUSES.toLocaleString('en')} clauses per search`)
}

export function deeper(depth: number, path: string): number {
  return depth < MAX_DEPTH ? depth + 1 : fault(path, `is nested more than ${MAX_DEPTH} levels deep`)
}
