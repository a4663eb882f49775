import fc from 'fast-check'
import type { Tree } from '../query-tree.ts'
import { dateLike, numberLike, sentence, TAGS, WORDS, wordLike } from './pools.ts'

/** A part of a query string and what it says. */
type Part = { text: string; tree: Tree }
type Parts = fc.Arbitrary<Part>

export type Names = { letters: readonly string[]; numbers: readonly string[]; dates: readonly string[] }

const escaped = (text: string): string =>
  /^(?:AND|OR|NOT)$/.test(text) ? `\\${text}` : text.replace(/[\s+\-=&|><!(){}[\]"^~*?:\\/]/g, '\\$&')
const quoted = (text: string): string => `"${text.replace(/["\\]/g, '\\$&')}"`

const term = fc
  .oneof({ weight: 5, arbitrary: wordLike }, sentence, fc.constantFrom(...TAGS))
  .filter((text) => text !== '')

const leaf: Parts = fc.oneof(
  { weight: 4, arbitrary: term.map((text): Part => ({ text: escaped(text), tree: { is: 'term', text } })) },
  { weight: 2, arbitrary: sentence.map((text): Part => ({ text: quoted(text), tree: { is: 'phrase', text } })) },
  wordLike
    .filter((text) => text !== '')
    .map((text): Part => ({ text: `${escaped(text)}*`, tree: { is: 'prefix', text } })),
  fc.tuple(term, term).map(([a, b]): Part => {
    const text = `${escaped(a)}?*${escaped(b)}`
    return { text, tree: { is: 'wildcard', text } }
  }),
  fc.constantFrom('m.rai', '[a-c]o[a-z]+t?', '(bot|apt)\\d*', '.*rike', '\\p{L}+').map(
    (text): Part => ({
      text: `/${text}/`,
      tree: { is: 'regexp', text },
    }),
  ),
  fc
    .tuple(
      wordLike.filter((text) => text !== ''),
      fc.constantFrom(null, 0, 1, 2),
    )
    .map(
      ([text, edits]): Part => ({
        text: `${escaped(text)}~${edits ?? ''}`,
        tree: { is: 'fuzzy', text, edits },
      }),
    ),
)

/** Ranges, `>=` and single values of one field. */
const bounded = (name: string, value: fc.Arbitrary<string>): Parts =>
  fc.oneof(
    value.map((text): Part => ({ text: `${name}:${quoted(text)}`, tree: within(name, { is: 'phrase', text }) })),
    fc.tuple(fc.option(value), fc.option(value), fc.boolean(), fc.boolean()).map(
      ([from, to, above, below]): Part => ({
        text: `${name}:${above ? '{' : '['}${end(from)} TO ${end(to)}${below ? '}' : ']'}`,
        tree: within(name, {
          is: 'range',
          given: {
            ...(from !== null && { [above ? 'gt' : 'gte']: from }),
            ...(to !== null && { [below ? 'lt' : 'lte']: to }),
          },
        }),
      }),
    ),
    fc.tuple(fc.constantFrom('>', '>=', '<', '<='), value).map(
      ([sign, text]): Part => ({
        text: `${name}:${sign}${quoted(text)}`,
        tree: within(name, { is: 'range', given: { [SIDES[sign as '>']]: text } }),
      }),
    ),
  )

const SIDES = { '>': 'gt', '>=': 'gte', '<': 'lt', '<=': 'lte' } as const
const end = (text: string | null): string => (text === null ? '*' : quoted(text))
const within = (field: string, of: Tree): Tree => ({ is: 'within', field, of })

const listed = (parts: readonly Part[], is: 'beside' | 'or' | 'and', between: string): Part =>
  parts.length === 1 && is !== 'beside'
    ? parts[0]!
    : { text: parts.map(({ text }) => text).join(between), tree: { is, of: parts.map(({ tree }) => tree) } }

type Signs = {
  or: fc.Arbitrary<string>
  and: fc.Arbitrary<string>
  before: fc.Arbitrary<readonly ['not' | 'plus', string] | null>
}

/** What binds together: a sign in front, then `and`, then `or`, then standing side by side. */
function sequence(primary: Parts, { or, and, before }: Signs): Parts {
  const operand = fc
    .tuple(primary, before)
    .map(
      ([part, sign]): Part =>
        sign === null ? part : { text: `${sign[1]}${part.text}`, tree: { is: sign[0], of: part.tree } },
    )
  const chain = (of: Parts, is: 'or' | 'and', between: fc.Arbitrary<string>): Parts =>
    fc
      .tuple(fc.oneof({ weight: 3, arbitrary: fc.tuple(of) }, fc.tuple(of, of)), between)
      .map(([parts, text]) => listed(parts, is, text))
  const ors = chain(chain(operand, 'and', and), 'or', or)
  return fc.array(ors, { minLength: 1, maxLength: 3 }).map((parts) => listed(parts, 'beside', ' '))
}

const inParentheses = ({ text, tree }: Part): Part => ({ text: `(${text})`, tree })

export function queryString({ letters, numbers, dates }: Names): Parts {
  const signs: Signs = {
    or: fc.constantFrom(' OR ', ' || '),
    and: fc.constantFrom(' AND ', ' && '),
    before: fc.option(
      fc.constantFrom<readonly ['not' | 'plus', string]>(['not', 'NOT '], ['not', '-'], ['not', '!'], ['plus', '+']),
      {
        freq: 3,
        nil: null,
      },
    ),
  }
  const letter = fc.constantFrom(...letters)
  const one = letter.filter((name) => name !== 'attributes.*')
  const fielded = fc.oneof(
    fc
      .tuple(letter, leaf)
      .map(([name, part]): Part => ({ text: `${name}:${part.text}`, tree: within(name, part.tree) })),
    one.chain((name) => bounded(name, fc.constantFrom(...WORDS, ...TAGS))),
    fc.constantFrom(...numbers).chain((name) => bounded(name, numberLike.map(String))),
    fc.constantFrom(...dates).chain((name) => bounded(name, dateLike.map(String))),
    letter.map((field): Part => ({ text: `_exists_:${field}`, tree: { is: 'exists', field } })),
    letter.map((field): Part => ({ text: `${field}:*`, tree: { is: 'exists', field } })),
    fc.constant<Part>({ text: '*:*', tree: { is: 'everything' } }),
  )
  const flat = sequence(fc.oneof({ weight: 3, arbitrary: leaf }, { weight: 2, arbitrary: fielded }), signs)
  const nested = fc.oneof(
    { weight: 3, arbitrary: leaf },
    { weight: 2, arbitrary: fielded },
    flat.map(inParentheses),
    fc.tuple(letter, sequence(leaf, signs)).map(
      ([name, part]): Part => ({
        text: `${name}:(${part.text})`,
        tree: within(name, part.tree),
      }),
    ),
  )
  return sequence(nested, signs)
}

/** Of the simple one: no fields, and every character of a word that could say something is escaped. */
export function simpleQueryString(): Parts {
  const signs: Signs = {
    or: fc.constantFrom(' | ', '|'),
    and: fc.constantFrom(' + ', ' +'),
    before: fc.option(fc.constant<readonly ['not', string]>(['not', '-']), { freq: 3, nil: null }),
  }
  const words: Parts = fc.oneof(
    term.map((text): Part => ({ text: escaped(text), tree: { is: 'term', text } })),
    sentence.map((text): Part => ({ text: quoted(text), tree: { is: 'phrase', text } })),
    term.map((text): Part => ({ text: `${escaped(text)}*`, tree: { is: 'prefix', text } })),
    fc.tuple(term, fc.constantFrom(null, 1, 2)).map(
      ([text, edits]): Part => ({
        text: `${escaped(text)}~${edits ?? ''}`,
        tree: { is: 'fuzzy', text, edits },
      }),
    ),
  )
  return sequence(fc.oneof({ weight: 3, arbitrary: words }, sequence(words, signs).map(inParentheses)), signs)
}
