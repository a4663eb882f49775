/** What the fields of the selector builder say, and the selector that it is (decisions 10.3). */

import type { paths } from '../../../api/schema.d.ts'

type Asked = paths['/api/search/v1/entities/selector']['post']['requestBody']['content']['application/json']
export type Selector = Asked['selector']

export const WELL_KNOWN = ['no', 'only', 'any'] as const
export type WellKnown = (typeof WELL_KNOWN)[number]

/** Numbers are empty where nothing is asked for. */
export type SelectorFields = {
  types: string[]
  worst: number | ''
  best: number | ''
  accuracy: number | ''
  accuracyTo: number | ''
  anyTags: string[]
  allTags: string[]
  noTags: string[]
  values: string
  prefix: string
  suffix: string
  cidr: string[]
  country: string[]
  asn: string[]
  seenWithin: string
  wellKnown: WellKnown
}

export const NO_FIELDS: SelectorFields = {
  types: [],
  worst: '',
  best: '',
  accuracy: '',
  accuracyTo: '',
  anyTags: [],
  allTags: [],
  noTags: [],
  values: '',
  prefix: '',
  suffix: '',
  cidr: [],
  country: [],
  asn: [],
  seenWithin: '',
  wellKnown: 'no',
}

/** What most feeds are for: addresses and names to block. */
export const USUAL: SelectorFields = { ...NO_FIELDS, types: ['ip', 'cidr'], best: -1, accuracy: 1 }

type Part = Record<string, unknown>

const part = (name: string, members: Part): Part => {
  const given = Object.entries(members).filter(([, value]) => !isNothing(value))
  return given.length === 0 ? {} : { [name]: Object.fromEntries(given) }
}

const isNothing = (value: unknown): boolean => value === '' || (Array.isArray(value) && value.length === 0)

const list = (name: string, values: readonly string[]): Part => (values.length === 0 ? {} : { [name]: values })

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

const KNOWN: Record<WellKnown, boolean | 'any'> = { no: false, only: true, any: 'any' }

/** The selector of the fields: what is empty is not in it. A blank may be the end of a prefix. The platform checks it. */
export const selectorOf = (f: SelectorFields): Selector =>
  ({
    ...list('types', f.types),
    ...part('reputation', { gte: f.worst, lte: f.best }),
    ...part('accuracy', { gte: f.accuracy, lte: f.accuracyTo }),
    ...part('tags', { any: f.anyTags, all: f.allTags, none: f.noTags }),
    ...part('value', { in: linesOf(f.values), prefix: f.prefix.trimStart(), suffix: f.suffix.trim() }),
    ...list('cidr', f.cidr),
    ...list('country', f.country),
    ...list('asn', f.asn),
    ...(f.seenWithin.trim() === '' ? {} : { seenWithin: f.seenWithin.trim() }),
    wellKnown: KNOWN[f.wellKnown],
  }) as Selector

const some = (value: unknown): string[] =>
  value === undefined ? [] : (Array.isArray(value) ? value : [value]).map(String)

/** The fields that a selector is, as the platform keeps it. */
export function fieldsOf(selector: Selector): SelectorFields {
  const { types, reputation, accuracy, tags, value, cidr, country, asn, seenWithin, wellKnown } = selector
  return {
    types: some(types),
    worst: reputation?.gte ?? '',
    best: reputation?.lte ?? '',
    accuracy: accuracy?.gte ?? '',
    accuracyTo: accuracy?.lte ?? '',
    anyTags: some(tags?.any),
    allTags: some(tags?.all),
    noTags: some(tags?.none),
    values: some(value?.in).join('\n'),
    prefix: value?.prefix ?? '',
    suffix: value?.suffix ?? '',
    cidr: some(cidr),
    country: some(country),
    asn: some(asn),
    seenWithin: seenWithin ?? '',
    wellKnown: WELL_KNOWN.find((name) => KNOWN[name] === wellKnown) ?? 'no',
  }
}
