import { datatypeOf } from '../entities/catalogue.ts'
import { type Refusal, refuse } from '../entities/refusal.ts'
import type { Field } from './clause.ts'

/** What a search is over: the history of reports, or current entities as the reader sees them. */
export type SurfaceName = 'history' | 'entities'

const COMMON: readonly Field[] = [
  { name: 'id', kind: 'keyword' },
  { name: 'entityID', kind: 'keyword' },
  { name: 'type', kind: 'keyword' },
  { name: '@timestamp', kind: 'date' },
  { name: 'lastSeen', kind: 'date' },
  { name: 'reputation', kind: 'number' },
  { name: 'accuracy', kind: 'number' },
  { name: 'wellKnown', kind: 'boolean' },
  { name: 'tags', kind: 'keyword' },
]

const FIELDS: Readonly<Record<SurfaceName, ReadonlyMap<string, Field>>> = {
  history: byName([...COMMON, { name: 'userID', kind: 'keyword' }]),
  entities: byName([
    ...COMMON,
    { name: 'bestReputation', kind: 'number' },
    { name: 'worstReputation', kind: 'number' },
    { name: 'value', kind: 'keyword' },
    { name: 'covered', kind: 'boolean' },
    { name: 'country', kind: 'keyword' },
    { name: 'asn', kind: 'keyword' },
    { name: 'aso', kind: 'keyword' },
  ]),
}

const UNSORTED = new Set(['id', 'wellKnown', 'covered', 'value', 'tags', 'country', 'asn', 'aso', 'anyAttribute'])

const KEYWORD = '.keyword'
const ATTRIBUTES = 'attributes.'

/** The field of a name, or a reason that lists what there is (docs/use/search-reference.md, Fields). `visibleBy` is never one. */
export function fieldOf(given: string, surface: SurfaceName): Field | Refusal {
  const keyword = given.endsWith(KEYWORD)
  const name = keyword ? given.slice(0, -KEYWORD.length) : given
  const found = name.startsWith(ATTRIBUTES) ? attributeOf(name.slice(ATTRIBUTES.length)) : FIELDS[surface].get(name)
  if (found === undefined)
    return refuse(`is not a field; expected one of ${names(FIELDS[surface].values())}, attributes.*`)
  if (!keyword) return found
  if (found.kind === 'text') return { ...found, kind: 'keyword' }
  if (takesNetworks(found)) return { ...found, whole: true }
  return found.kind === 'keyword' ? found : refuse(`is not a field; a field of kind ${found.kind} has no ${KEYWORD}`)
}

/** Whether a network that is given as a value of the field stands for all that is inside (decisions 10.3). */
export const takesNetworks = (field: Field): field is Extract<Field, { name: 'value' | 'attribute' }> =>
  (field.name === 'value' || (field.name === 'attribute' && field.attribute === 'ip')) && field.whole !== true

/** A field that records can be sorted by (decisions 5.3), or a reason that lists these. */
export function sortFieldOf(given: string, surface: SurfaceName): Field | Refusal {
  const field = fieldOf(given, surface)
  if ('reason' in field || UNSORTED.has(field.name)) return refuse(`must be one of ${sortFields(surface).join(', ')}`)
  return field
}

/** Names of the fields that records can be sorted by. */
export const sortFields = (surface: SurfaceName): string[] => [
  ...[...FIELDS[surface].keys()].filter((name) => !UNSORTED.has(name)),
  'attributes.<name>',
]

function attributeOf(attribute: string): Field | undefined {
  if (attribute === '*') return { name: 'anyAttribute', kind: 'text' }
  const datatype = datatypeOf(attribute)
  return datatype && { name: 'attribute', attribute, kind: datatype.search }
}

function byName(fields: readonly Field[]): ReadonlyMap<string, Field> {
  return new Map(fields.map((field) => [field.name, field]))
}

const names = (fields: Iterable<Field>): string =>
  [...[...fields].map((field) => field.name), 'attributes.<name>'].join(', ')
