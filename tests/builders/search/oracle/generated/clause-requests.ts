import fc from 'fast-check'
import type { Json } from '../clauses.ts'
import { withTree } from '../query-tree.ts'
import {
  COUNTRIES,
  dateLike,
  MAIN,
  NETWORKS,
  numberLike,
  SUFFIXES,
  sentence,
  TAGS,
  TYPES,
  VALUES,
  WORDS,
  wordLike,
} from './pools.ts'
import { type Names, queryString, simpleQueryString } from './query-text.ts'

/** What a search may name: `ids` and `entityIDs` are those of stored records. */
export type Fields = Names & {
  keywords: Readonly<Record<string, fc.Arbitrary<string>>>
  texts: readonly string[]
  sorts: readonly string[]
  booleans: readonly string[]
}

export function fieldsOf(
  surface: 'history' | 'entities',
  ids: readonly string[],
  entityIDs: readonly string[],
): Fields {
  const some = (list: readonly string[]) => fc.constantFrom(...list.slice(0, 40), 'none')
  const texts = ['attributes.text', 'attributes.aso', 'attributes.command', 'attributes.*']
  const history = surface === 'history'
  const keywords = {
    type: fc.constantFrom(...TYPES),
    id: some(ids),
    entityID: some(entityIDs),
    tags: fc.constantFrom(...TAGS, 'über'.toUpperCase()),
    ...(history && { userID: fc.constantFrom('user-1', 'user-2', 'USER-3', 'none') }),
    'attributes.country': fc.oneof(fc.constantFrom(...COUNTRIES), VALUES.country!),
    'attributes.domain': VALUES.domain!,
    'attributes.ip': fc.oneof({ weight: 3, arbitrary: VALUES.ip! }, NETWORKS),
    'attributes.ip.keyword': fc.oneof(VALUES.ip!, NETWORKS),
    ...(!history && { value: MAIN, 'value.keyword': MAIN }),
    'attributes.port': VALUES.port!,
    'attributes.text.keyword': sentence,
    'attributes.*.keyword': sentence,
    'tags.keyword': fc.constantFrom(...TAGS),
  }
  const numbers = [
    ...['reputation', 'accuracy', 'attributes.asn', 'attributes.latitude'],
    ...(history ? [] : ['bestReputation', 'worstReputation']),
  ]
  const dates = ['@timestamp', 'lastSeen', 'attributes.breach-date', 'attributes.last-analysis']
  return {
    keywords,
    texts,
    numbers,
    dates,
    booleans: ['wellKnown', ...(history ? [] : ['covered'])],
    letters: [...texts, ...Object.keys(keywords).filter((name) => name !== 'attributes.*.keyword')],
    sorts: [
      ...[
        'type',
        'entityID',
        'attributes.country',
        'attributes.text',
        'attributes.command.keyword',
        'attributes.domain',
      ],
      ...(history ? ['userID'] : []),
      ...[...numbers, ...dates, '@timestamp', 'reputation'],
    ],
  }
}

const NAMED = ['value', 'value.keyword', 'attributes.domain']

const one = (field: string, given: unknown): Json => ({ [field]: given })
const compact = (given: object): object =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined, freq: 3 })
const minimum = fc.constantFrom<number | string>(0, 1, 2, 3, -1, -2, '50%', '-30%', '100%', '0%')
const fuzziness = fc.constantFrom<number | string>(0, 1, 2, 'AUTO', 'auto', '1')
const operator = fc.constantFrom('or', 'and', 'AND')

/** Clauses of every kind, to so many levels of `bool`. */
export function clauses(fields: Fields, depth: number): fc.Arbitrary<Json> {
  const text = fc.oneof({ weight: 3, arbitrary: wordLike }, sentence, fc.constantFrom(...WORDS, ...TAGS))
  const keyword = fc.constantFrom(...Object.keys(fields.keywords))
  const [number, date, textField] = [fields.numbers, fields.dates, fields.texts].map((list) =>
    fc.constantFrom(...list),
  ) as [fc.Arbitrary<string>, fc.Arbitrary<string>, fc.Arbitrary<string>]
  /** A field with letters and what may stand in it. */
  const lettered = fc.oneof(
    fc.tuple(textField, text),
    keyword.chain((name) => fc.tuple(fc.constant(name), fields.keywords[name]!)),
  )
  const valued = fc.oneof(
    { weight: 3, arbitrary: lettered as fc.Arbitrary<[string, unknown]> },
    fc.tuple(number, numberLike) as fc.Arbitrary<[string, unknown]>,
    fc.tuple(date, dateLike) as fc.Arbitrary<[string, unknown]>,
    fc.tuple(fc.constantFrom(...fields.booleans), fc.constantFrom<unknown>(true, false, 'true')),
  )
  const cut = fc.tuple(lettered, fc.nat(6)).map(([[name, x], n]) => [name, [...x].slice(0, n).join('')] as const)
  const caseless = maybe(fc.boolean())
  const valueForm = (kind: string, pair: fc.Arbitrary<readonly [string, unknown]>) =>
    fc.tuple(pair, caseless, fc.boolean()).map(([[name, value], insensitive, short]) => ({
      [kind]: one(name, short ? value : compact({ value, case_insensitive: insensitive })),
    }))
  const ends = (value: fc.Arbitrary<unknown>) =>
    fc
      .tuple(maybe(value), maybe(value), fc.constantFrom('gt', 'gte'), fc.constantFrom('lt', 'lte'))
      .map(([from, to, above, below]) => compact({ [above]: from, [below]: to }))
      .filter((given) => Object.keys(given).length > 0)
  const ranged = fc.oneof(
    fc.tuple(date, ends(dateLike)),
    fc.tuple(number, ends(numberLike)),
    fc.tuple(
      fc.oneof(keyword, textField).filter((name) => !name.startsWith('attributes.*')),
      ends(text),
    ),
  )
  const wildcard = fc
    .tuple(lettered, fc.array(fc.tuple(fc.nat(8), fc.constantFrom('*', '?', '\\*')), { maxLength: 3 }))
    .map(([[name, x], signs]) => {
      const points = [...x].map((point) => (/[*?\\]/.test(point) ? `\\${point}` : point))
      for (const [at, sign] of signs) points[at % (points.length + 1)] = sign
      return [name, points.join('')] as const
    })
  const pattern = fc
    .tuple(fc.oneof(textField, keyword), fc.array(PATTERN, { minLength: 1, maxLength: 4 }))
    .map(([name, parts]) => [name, parts.join('')] as const)
  const matching = (
    kind: string,
    more: Record<string, fc.Arbitrary<unknown>>,
    pair: fc.Arbitrary<readonly [string, unknown]>,
  ) =>
    fc
      .tuple(pair, fc.record(more), fc.boolean())
      .map(([[name, query], options, short]) => ({ [kind]: one(name, short ? query : compact({ query, ...options })) }))
  const worded = fc.oneof({ weight: 4, arbitrary: fc.tuple(textField, sentence) }, lettered)
  const letterNames = fc.uniqueArray(fc.constantFrom(...fields.letters), { minLength: 1, maxLength: 3 })
  const multi = fc
    .record({
      query: sentence,
      fields: maybe(letterNames),
      type: maybe(
        fc.constantFrom('best_fields', 'most_fields', 'cross_fields', 'phrase', 'phrase_prefix', 'bool_prefix'),
      ),
      operator: maybe(operator),
      minimum_should_match: maybe(minimum),
      fuzziness: fc.option(fuzziness, { nil: undefined, freq: 2 }),
    })
    .map((given) => ({ multi_match: compact(given) }))
  const written = (kind: string, parts: ReturnType<typeof simpleQueryString>) =>
    fc.tuple(parts, maybe(letterNames), maybe(operator)).map(([{ text, tree }, names, default_operator]) => ({
      [kind]: withTree(compact({ query: text, fields: names, default_operator }), tree),
    }))
  const leaf: fc.Arbitrary<Json> = fc.oneof(
    { weight: 3, arbitrary: valueForm('term', valued) },
    valued
      .chain(([name, x]) =>
        fc.tuple(
          fc.constant(name),
          fc.constant(x),
          fc.array(
            valued.filter(([n]) => n === name).map(([, y]) => y),
            { maxLength: 1 },
          ),
        ),
      )
      .map(([name, x, more]) => ({ terms: one(name, [x, ...more]) })),
    fc.array(fields.keywords.id!, { maxLength: 4 }).map((values) => ({ ids: { values } })),
    { weight: 2, arbitrary: ranged.map(([name, given]) => ({ range: one(name, given) })) },
    fc
      .oneof(textField, keyword, number, date, fc.constantFrom(...fields.booleans))
      .map((field) => ({ exists: { field } })),
    valueForm('prefix', cut),
    fc
      .tuple(
        fc.constantFrom(...Object.keys(fields.keywords).filter((name) => NAMED.includes(name))),
        SUFFIXES,
        fc.boolean(),
      )
      .map(([name, value, short]) => ({ suffix: one(name, short ? value : { value }) })),
    valueForm('wildcard', wildcard),
    valueForm('regexp', pattern),
    fc.tuple(lettered, maybe(fuzziness), maybe(fc.nat(3))).map(([[name, value], f, prefix_length]) => ({
      fuzzy: one(name, compact({ value, fuzziness: f, prefix_length })),
    })),
    matching(
      'match',
      { operator: maybe(operator), minimum_should_match: maybe(minimum), fuzziness: maybe(fuzziness) },
      worded,
    ),
    matching('match', {}, valued),
    matching('match_phrase', {}, worded),
    matching('match_phrase_prefix', {}, worded),
    matching('match_bool_prefix', { operator: maybe(operator), minimum_should_match: maybe(minimum) }, worded),
    { weight: 2, arbitrary: multi },
    { weight: 3, arbitrary: written('query_string', queryString(fields)) },
    { weight: 2, arbitrary: written('simple_query_string', simpleQueryString()) },
  )
  if (depth === 0) return leaf
  return fc.oneof(
    { weight: 4, arbitrary: leaf },
    bools(fields, depth - 1).map((bool) => ({ bool })),
  )
}

/** `must`, `should`, `must_not`, `filter`. */
export function bools(fields: Fields, depth: number): fc.Arbitrary<Json> {
  const one = clauses(fields, depth)
  const must = fc.option(fc.array(one, { maxLength: 2 }), { nil: undefined, freq: 2 })
  const not = fc.option(fc.array(one, { maxLength: 1 }), { nil: undefined, freq: 2 })
  return fc
    .record({
      must,
      should: maybe(fc.array(one, { maxLength: 4 })),
      must_not: not,
      filter: not,
      minimum_should_match: fc.option(minimum, { nil: undefined, freq: 2 }),
    })
    .map((given) => compact(given))
}

/** Such parts of patterns as mean the same to every reader of patterns. */
const PATTERN = fc.oneof(
  fc.constantFrom(
    '.*',
    '.',
    '[a-c]',
    '[^b]+',
    '\\d',
    '\\d{1,3}',
    '\\.',
    '(mirai|bot)',
    '(?:co|st)[a-z]*',
    'x?',
    '\\p{L}+',
  ),
  fc.constantFrom('[a-z]{2,5}', 's', 'STRIKE', 'é', '日', '(ai)?', '$', '^', '|', 'k', '[ſk]'),
  wordLike.filter((text) => /^[\p{L}\d]*$/u.test(text)),
)
