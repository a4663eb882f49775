import { type At, begins, between, isNear, meetsPattern, phrase, termOf } from './clauses.ts'
import { type Field, fieldOf } from './fields.ts'
import { editsOf, wildcardPattern } from './values/letters.ts'

/**
 * What a query string says, apart from how it is written: a generator makes the tree and the text from it, so that
 * nothing has to be parsed here.
 */
export type Tree =
  | { is: 'beside'; of: Tree[] }
  | { is: 'or' | 'and'; of: Tree[] }
  /** Of `beside` also what `-` and `+` in front of it say. */
  | { is: 'not' | 'plus'; of: Tree }
  | { is: 'within'; field: string; of: Tree }
  | { is: 'exists'; field: string }
  | { is: 'everything' }
  | { is: 'term' | 'phrase' | 'wildcard' | 'prefix' | 'regexp'; text: string }
  | { is: 'fuzzy'; text: string; edits: number | null }
  | { is: 'range'; given: Record<string, string> }

const TREE = Symbol('tree')

/** Puts the tree beside the text, where only this file finds it. */
export const withTree = <T extends object>(clause: T, tree: Tree): T => ({ ...clause, [TREE]: tree })

export const treeOf = (clause: object): Tree => (clause as { [TREE]: Tree })[TREE]

export type Reading = { at: At; fields: readonly Field[]; all: boolean }

export function holdsTree(tree: Tree, reading: Reading): boolean {
  const { at, fields, all } = reading
  const one = (part: Tree): boolean => holdsTree(part, reading)
  const some = (test: (field: Field) => boolean): boolean => fields.some(test)
  switch (tree.is) {
    case 'beside':
      return beside(tree.of, all, one)
    case 'and':
      return tree.of.every(one)
    case 'or':
      return tree.of.some(one)
    case 'not':
      return !one(tree.of)
    case 'plus':
      return one(tree.of)
    case 'within':
      return holdsTree(tree.of, { ...reading, fields: [fieldOf(tree.field)] })
    case 'exists':
      return fieldOf(tree.field).values(at.record).length > 0
    case 'everything':
      return true
    case 'term':
      return some((field) => termOf(field, tree.text, at))
    case 'phrase':
      return some((field) => phrase(field, tree.text, at))
    case 'wildcard':
      return some((field) => meetsPattern(field, wildcardPattern(tree.text), at))
    case 'prefix':
      return some((field) => begins(field, tree.text, at))
    case 'regexp':
      return some((field) => meetsPattern(field, tree.text, at))
    case 'fuzzy':
      return some((field) => isNear(field, tree.text, at, editsOf(tree.edits ?? undefined, tree.text)))
    case 'range':
      return some((field) => between(field, tree.given, at))
  }
}

/** Any or all of what stands side by side; with `+` and `-` among it these decide, and the others are wishes. */
function beside(parts: readonly Tree[], all: boolean, one: (part: Tree) => boolean): boolean {
  const never = parts.filter(({ is }) => is === 'not')
  const always = parts.filter(({ is }) => is === 'plus' || (all && is !== 'not'))
  const others = parts.filter((part) => !never.includes(part) && !always.includes(part))
  if (!never.every(one) || !always.every(one)) return false
  return always.length > 0 || others.length === 0 || others.some(one)
}
