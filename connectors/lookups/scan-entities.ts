import { entityId } from '../../schemas/intelligence/entities/id.ts'
import type { IndexedEntity, IndexedRow } from '../../schemas/intelligence/state/present.ts'
import type { History } from '../history/port.ts'
import { currentRows, type EntityRow, marksIn, rowsByKey } from '../history/sql/queries/entities-queries.ts'
import { type IndexColumns, indexRows, rowsToIndex } from '../history/sql/queries/index-queries.ts'
import type { KeyRange } from '../history/sql/queries/rescore-queries.ts'
import { rowsOfKeys } from '../history/stores/rows-by-key.ts'

/** Rows that are read at once. */
const ROWS = 32_768
const KEYS = 2n ** 64n

/** Parts of all keys with about as many rows as are read at once, smallest first. */
export async function keyRanges(history: Pick<History, 'query'>): Promise<KeyRange[]> {
  const [counted] = await history.query<{ n: number }>(rowsToIndex)
  const parts = Math.max(1, Math.ceil((counted?.n ?? 0) / ROWS))
  const at = (part: number): bigint => (KEYS * BigInt(part)) / BigInt(parts)
  return Array.from({ length: parts }, (_, part) => ({ first: at(part), last: at(part + 1) - 1n }))
}

/** The entities with keys of a range, as they are now. */
export async function entitiesIn(history: Pick<History, 'query'>, { first, last }: KeyRange): Promise<IndexedEntity[]> {
  const [columns] = await history.query<IndexColumns>(indexRows(first, last))
  return columns === undefined ? [] : entitiesOf(history, columns)
}

/**
 * Every entity of the tables, in parts by the first bytes of the digest of its value, smallest first: each part as it is
 * when it is read.
 */
export async function* scanEntities(history: Pick<History, 'query'>): AsyncGenerator<IndexedEntity[]> {
  for (const range of await keyRanges(history)) yield await entitiesIn(history, range)
}

/** All rows of these entities as they are stored now; those that have none are absent. */
async function storedEntities(history: Pick<History, 'query'>, entityIds: readonly string[]): Promise<IndexedEntity[]> {
  const wanted = new Set(entityIds)
  const rows = await rowsOfKeys<EntityRow>(history, entityIds, rowsByKey)
  const current = currentRows(rows.filter((row) => wanted.has(row.entity_id)))
  return [...Map.groupBy(current, (row) => row.entityId).values()].map((of) => ({
    type: of[0]!.type,
    value: of[0]!.value,
    wide: false,
    rows: of,
  }))
}

type Versioned = IndexedRow & { version: number }

async function entitiesOf(history: Pick<History, 'query'>, columns: IndexColumns): Promise<IndexedEntity[]> {
  const audiences = new Map<string, bigint>()
  const audienceOf = (text: string): bigint => {
    const known = audiences.get(text) ?? BigInt(text)
    audiences.set(text, known)
    return known
  }
  const byEntity = new Map<string, Versioned[]>()
  for (const [i, value] of columns.value.entries()) {
    const row = rowOf(columns, i, audienceOf(columns.audience[i]!))
    const name = `${columns.type[i]} ${value}`
    const rows = byEntity.get(name)
    if (rows === undefined) byEntity.set(name, [row])
    else replaceOutdated(rows, row)
  }
  const entities: IndexedEntity[] = []
  const several: string[] = []
  for (const [name, rows] of byEntity) {
    const type = name.slice(0, name.indexOf(' '))
    const value = name.slice(type.length + 1)
    if (rows.length === 1) entities.push({ type, value, wide: false, rows })
    else several.push(entityId(type, value))
  }
  return several.length === 0 ? entities : [...entities, ...(await storedEntities(history, several))]
}

function replaceOutdated(rows: Versioned[], row: Versioned): void {
  const at = rows.findIndex(({ audience }) => audience === row.audience)
  if (at < 0) rows.push(row)
  else if (rows[at]!.version < row.version) rows[at] = row
}

function rowOf(columns: IndexColumns, i: number, audience: bigint): Versioned {
  const verdict = columns.verdict[i]!
  return {
    ...marksIn(columns.marks[i]!),
    audience,
    version: columns.version[i]!,
    reputation: columns.reputation[i]!,
    accuracy: columns.accuracy[i]!,
    best: columns.best[i]!,
    worst: columns.worst[i]!,
    verdict: verdict === 0 ? null : { reputation: verdict, at: columns.decided[i]!, until: columns.until[i]! },
    tags: columns.tags[i]!,
    attributes: columns.attributes[i]!,
    attributeTimes: {},
    country: columns.country[i]!,
    asn: columns.asn[i]!,
    aso: columns.aso[i]!,
    firstSeen: columns.first[i]!,
    lastSeen: columns.last[i]!,
    scoredAt: 0,
    claims: [],
  }
}
