import type { Clause, Field } from '../../../../schemas/intelligence/search/clause.ts'
import type { Binder } from './binder.ts'
import { equals } from './equals.ts'
import { type At, hasLetters, someValue } from './field-tests.ts'
import { suffix } from './parts/suffix.ts'
import { within } from './parts/within.ts'
import { range } from './range.ts'
import type { Surface } from './surface.ts'
import { fuzzy, prefix, regexp } from './text/patterns.ts'
import { phrase, words } from './text/phrases.ts'
import { fieldValue } from './value.ts'

/**
 * A clause as an SQL condition over the records of a surface (docs/search.md, Clauses): 0 or 1, never NULL. Everything
 * that a caller wrote is bound (ADR 95).
 */
export function condition(clause: Clause, surface: Surface, b: Binder): string {
  return compile(clause, { surface, b })
}

function compile(clause: Clause, at: At): string {
  switch (clause.is) {
    case 'all':
      return '1'
    case 'none':
      return '0'
    case 'bool':
      return bool(clause, at)
    case 'equals':
      return equals(clause.field, clause.values, clause.caseless, at)
    case 'within':
      return within(clause, at)
    case 'suffix':
      return suffix(clause, at)
    case 'range':
      return range(clause.field, clause.from, clause.to, at)
    case 'exists':
      return exists(clause.field, at)
    case 'prefix':
      return prefix(clause, at)
    case 'regexp':
      return regexp(clause, at)
    case 'fuzzy':
      return fuzzy(clause, at)
    case 'words':
      return words(clause, at)
    case 'phrase':
      return phrase(clause, at)
  }
}

function bool({ must, mustNot, should, atLeast }: Extract<Clause, { is: 'bool' }>, at: At): string {
  const all = [
    ...must.map((clause) => compile(clause, at)),
    ...mustNot.map((clause) => `NOT ${compile(clause, at)}`),
    ...(atLeast < 1 ? [] : [some(should, atLeast, at)]),
  ]
  return all.length === 0 ? '1' : `(${all.join(' AND ')})`
}

function some(clauses: readonly Clause[], atLeast: number, at: At): string {
  if (clauses.length < atLeast) return '0'
  const conditions = (atLeast === 1 ? mergeEquals(clauses) : clauses).map((clause) => compile(clause, at))
  if (atLeast === 1) return `(${conditions.join(' OR ')})`
  if (atLeast === conditions.length) return `(${conditions.join(' AND ')})`
  return `(${conditions.map((one) => `toUInt32(${one})`).join(' + ')} >= ${atLeast})`
}

/**
 * Any of the clauses: those that test one field for values are merged into one test for all values, as in lists of
 * hundreds.
 */
function mergeEquals(clauses: readonly Clause[]): readonly Clause[] {
  const others: Clause[] = []
  const byField = new Map<string, Extract<Clause, { is: 'equals' }>>()
  for (const clause of clauses) {
    if (clause.is !== 'equals') {
      others.push(clause)
      continue
    }
    const key = JSON.stringify([clause.field, clause.caseless])
    byField.set(key, { ...clause, values: (byField.get(key)?.values ?? []).concat(clause.values) })
  }
  return [...byField.values(), ...others]
}

function exists(field: Field, at: At): string {
  if (field.name === 'tags') return `notEmpty(${at.surface.columns.tags})`
  if (field.name === 'attribute' && !hasLetters(field)) return `isNotNull(${fieldValue(field, at.surface, at.b)})`
  // Every record has a main value, and every column that is no text a value.
  return field.name === 'anyAttribute' || !hasLetters(field) ? '1' : someValue(field, at, () => '1')
}
