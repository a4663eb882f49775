import { searchForms } from '../ingest/search-forms.ts'
import { tagOf } from '../ingest/tags.ts'
import { tokens } from '../state/terms.ts'
import type { Clause, Field } from './clause.ts'

const ANY: Field = { name: 'anyAttribute', kind: 'text' }
const ENTITY_ID = /^[a-z0-9-]+-[0-9a-f]{64}$/

export type SimpleTerm = { query: string; accuracy: number | null; reputation: number | null }

/**
 * What a simple search asks of current entities (decisions 5.4): the query in one of its normal forms is an attribute
 * value, the main one among them, or a word of a text; or it is the entity's id, or a tag; or a text has every word of
 * it.
 */
export function simpleClause({ query, accuracy, reputation }: SimpleTerm): Clause {
  const should: Clause[] = [{ is: 'equals', field: ANY, values: searchForms(query), caseless: true }]
  const text = query.trim()
  // A single word is among the forms already, unless it carried punctuation of its own.
  const words = /\s/.test(text) ? tokens(text) : []
  if (words.length > 0) should.push({ is: 'words', field: ANY, words, atLeast: words.length, lastIsPrefix: false })
  const tag = tagOf(query)
  if (tag !== null) should.push(equals({ name: 'tags', kind: 'keyword' }, tag))
  const id = text.toLowerCase()
  if (ENTITY_ID.test(id)) should.push(equals({ name: 'entityID', kind: 'keyword' }, id))
  const must: Clause[] = []
  if (accuracy !== null) must.push(equals({ name: 'accuracy', kind: 'number' }, accuracy))
  if (reputation !== null) must.push(equals({ name: 'reputation', kind: 'number' }, reputation))
  return { is: 'bool', must, mustNot: [], should, atLeast: 1 }
}

const equals = (field: Field, value: string | number): Clause => ({
  is: 'equals',
  field,
  values: [value],
  caseless: false,
})
