import type { Json } from '../question/json.ts'
import type { ResultRecord } from '../question/request.ts'

/** A current entity or a history record, as the table shows it; null where `source` leaves a field out. */
export type ResultRow = {
  /** Of the record; unique in an answer. */
  key: string
  entityId: string | null
  type: string | null
  /** Of the main attribute. */
  value: string | null
  reputation: number | null
  accuracy: number | null
  tags: string[]
  /** ISO 8601. */
  first: string | null
  last: string | null
  wellKnown: boolean
  /** Other attributes. */
  attributes: [name: string, value: string][]
}

/** A record of either kind as a row. */
export function rowOf(record: ResultRecord, index: number): ResultRow {
  const attributes = Object.entries((record.attributes ?? {}) as Json).map(([name, value]): [string, string] => [
    name,
    String(value),
  ])
  return {
    key: record.id ?? `row-${index}`,
    // The id of a current entity is its entity id.
    entityId: record.entityID ?? (/-[0-9a-f]{64}$/.test(record.id ?? '') ? record.id! : null),
    type: record.type ?? null,
    value: attributes.find(([name]) => name === record.type)?.[1] ?? null,
    reputation: record.reputation ?? null,
    accuracy: record.accuracy ?? null,
    tags: record.tags ?? [],
    first: record['@timestamp'] ?? null,
    last: record.lastSeen ?? null,
    wellKnown: record.wellKnown === true,
    attributes: attributes.filter(([name]) => name !== record.type),
  }
}

/** Columns of an exported row. */
export const COLUMNS = ['type', 'value', 'reputation', 'accuracy', 'tags', 'first', 'last', 'id', 'attributes'] as const

/** A row under `COLUMNS`; other attributes as JSON. */
export const cellsOf = (row: ResultRow): (string | number)[] => [
  row.type ?? '',
  row.value ?? '',
  row.reputation ?? '',
  row.accuracy ?? '',
  row.tags.join(' '),
  row.first ?? '',
  row.last ?? '',
  row.entityId ?? row.key,
  row.attributes.length === 0 ? '' : JSON.stringify(Object.fromEntries(row.attributes)),
]
