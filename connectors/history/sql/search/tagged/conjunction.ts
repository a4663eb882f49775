import type { Clause, Field } from '../../../../../schemas/intelligence/search/clause.ts'

/** What a search by tag asks: entities with one of these tags that meet the rest. */
export type TagSearch = { tags: readonly string[]; rest: readonly Clause[] }

/** Fields of which the rows by tag say what the rows of the entities say (migration 0006). */
const FIELDS = ['type', 'entityID', 'id', 'reputation', 'accuracy', '@timestamp', 'lastSeen']

/** Whether the rows by tag have the field. */
export const isTagged = ({ name }: Field): boolean => FIELDS.includes(name)

/**
 * The clause as a search by tag (docs/search.md, Clauses): it holds for no entity without one of the tags, and asks of the
 * others for fields of the rows by tag alone. null where it is no such search.
 */
export function tagSearch(clause: Clause): TagSearch | null {
  const all = conjunction(clause)
  const [of, ...more] = all.filter(namesTags)
  if (of === undefined || more.length > 0) return null
  const rest = all.filter((each) => each !== of)
  return rest.every(isTested) ? { tags: of.values.map(String), rest } : null
}

/** Clauses that hold together exactly where the one does. */
function conjunction(clause: Clause): Clause[] {
  if (clause.is !== 'bool') return clause.is === 'all' ? [] : [clause]
  const { must, mustNot, should, atLeast } = clause
  const left: Clause = { is: 'bool', must: [], mustNot, should, atLeast }
  const only = should.length === 1 && atLeast === 1 ? should : []
  const others: Clause[] = only.length === 1 ? [{ ...left, should: [], atLeast: 0 }] : [left]
  const empty = mustNot.length === 0 && (atLeast < 1 || only.length === 1)
  return [...[...must, ...only].flatMap(conjunction), ...(empty ? [] : others)]
}

const namesTags = (clause: Clause): clause is Extract<Clause, { is: 'equals' }> =>
  clause.is === 'equals' && clause.field.name === 'tags' && !clause.caseless && clause.values.some((tag) => tag !== '')

/** Whether the clause asks for fields of the rows by tag alone. */
function isTested(clause: Clause): boolean {
  if (clause.is === 'all' || clause.is === 'none') return true
  if (clause.is === 'bool') return [clause.must, clause.mustNot, clause.should].every((list) => list.every(isTested))
  return isTagged(clause.field)
}
