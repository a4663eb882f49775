import { definitions } from '../../../../schemas/intelligence/entities/catalogue.ts'

/** A record as answers show it. */
export type Shown = {
  id: string
  entityID?: string
  type: string
  userID?: string
  attributes: Readonly<Record<string, string>>
  reputation: number
  bestReputation?: number
  worstReputation?: number
  accuracy: number
  tags: readonly string[]
  visibleBy?: readonly string[]
  wellKnown: boolean
  /** Of entities, and not a part of their answers. */
  covered?: boolean
  '@timestamp': string
  lastSeen: string
}

export type Value = string | number | boolean
export type Kind = 'text' | 'keyword' | 'number' | 'date' | 'boolean'

/** What the table of docs/use/search-reference.md, Fields, says of a name. */
export type Field = {
  kind: Kind
  /** Of a text in `attributes`: which attribute's normal form values are compared in. */
  attribute: string | null
  /** Numbers as numbers, dates as unix milliseconds; nothing where there is no value. */
  values(record: Shown): Value[]
  /** The main value, whatever type it has: it is compared in every normal form that a text has. */
  main?: boolean
  /** Whether a value that is a network stands for what is inside. */
  networks?: boolean
  /** What words are cut out of. */
  texts(record: Shown): string[]
}

const KINDS: Readonly<Record<string, Kind>> = {
  String: 'text',
  'Case-sensitive string': 'text',
  Integer: 'number',
  Float: 'number',
  Date: 'date',
  Datetime: 'date',
}
const kindOf = new Map(definitions().map(({ type, dataType }) => [type, KINDS[dataType] ?? 'keyword']))

const typed = (kind: Kind, text: string): Value =>
  kind === 'number' ? Number(text) : kind === 'date' ? Date.parse(text) : text

/** A field by its name, as `.keyword` if it says so. */
export function fieldOf(given: string): Field {
  const keyword = given.endsWith('.keyword')
  const name = keyword ? given.slice(0, -'.keyword'.length) : given
  const field = plain(name)
  return keyword ? { ...field, kind: 'keyword', networks: false, texts: () => [] } : field
}

function plain(name: string): Field {
  if (name === 'attributes.*') {
    return {
      kind: 'text',
      attribute: null,
      values: (record) => Object.values(record.attributes),
      texts: (record) => Object.keys(record.attributes).flatMap((one) => textsOf(one, record)),
    }
  }
  if (name.startsWith('attributes.')) {
    const attribute = name.slice('attributes.'.length)
    const kind = kindOf.get(attribute)
    if (kind === undefined) throw new Error(`the oracle knows no ${name}`)
    return {
      kind,
      attribute,
      networks: attribute === 'ip',
      values: ({ attributes }) => (attribute in attributes ? [typed(kind, attributes[attribute]!)] : []),
      texts: (record) => textsOf(attribute, record),
    }
  }
  const none = { attribute: null, texts: () => [] }
  switch (name) {
    case 'id':
      return { ...none, kind: 'keyword', values: ({ id }) => [id] }
    case 'entityID':
      return { ...none, kind: 'keyword', values: ({ entityID, id }) => [entityID ?? id] }
    case 'type':
      return { ...none, kind: 'keyword', values: ({ type }) => [type] }
    case 'userID':
      return { ...none, kind: 'keyword', values: ({ userID }) => [userID!] }
    case 'tags':
      return { ...none, kind: 'keyword', values: ({ tags }) => [...tags] }
    case 'value':
      return {
        ...none,
        kind: 'keyword',
        main: true,
        networks: true,
        values: ({ type, attributes }) => [attributes[type]!],
      }
    case 'covered':
      return { ...none, kind: 'boolean', values: ({ covered }) => [covered!] }
    case 'wellKnown':
      return { ...none, kind: 'boolean', values: ({ wellKnown }) => [wellKnown] }
    case '@timestamp':
    case 'lastSeen':
      return { ...none, kind: 'date', values: (record) => [Date.parse(record[name])] }
    case 'reputation':
    case 'accuracy':
    case 'bestReputation':
    case 'worstReputation':
      return { ...none, kind: 'number', values: (record) => [record[name]!] }
    default:
      throw new Error(`the oracle knows no ${name}`)
  }
}

const textsOf = (attribute: string, { attributes }: Shown): string[] =>
  kindOf.get(attribute) === 'text' && attribute in attributes ? [attributes[attribute]!] : []

/** Runs of letters, marks and digits, in lower case. */
export const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? []

export const distinct = <T>(list: readonly T[]): T[] => [...new Set(list)]

const bytes = (text: string): Buffer => Buffer.from(text)

/** Text by its bytes, anything else by size. */
export const compare = (a: Value, b: Value): number =>
  typeof a === 'string' && typeof b === 'string'
    ? Buffer.compare(bytes(a), bytes(b))
    : Number(a) < Number(b)
      ? -1
      : Number(a) > Number(b)
        ? 1
        : 0
