import type { Clause } from '../clause.ts'

/** At least one of the clauses holds. */
export function any(clauses: readonly Clause[]): Clause {
  const should = clauses.filter(({ is }) => is !== 'none')
  if (should.length === 0) return { is: 'none' }
  return should.length === 1 ? should[0]! : { is: 'bool', must: [], mustNot: [], should, atLeast: 1 }
}

/** Every one of the clauses holds, and none of the others. */
export function every(must: readonly Clause[], mustNot: readonly Clause[] = []): Clause {
  if (must.length + mustNot.length === 0) return { is: 'all' }
  if (must.length === 1 && mustNot.length === 0) return must[0]!
  return { is: 'bool', must, mustNot, should: [], atLeast: 0 }
}

/** At least so many of the clauses hold. */
export function some(should: readonly Clause[], atLeast: number): Clause {
  if (atLeast > should.length) return { is: 'none' }
  return atLeast === 1 ? any(should) : { is: 'bool', must: [], mustNot: [], should, atLeast }
}
