import { isDeepStrictEqual } from 'node:util'
import { entityId } from '../../schemas/intelligence/entities/id.ts'
import type { IndexedEntity, PresentRow } from '../../schemas/intelligence/state/present.ts'
import { encodeEntity } from '../../schemas/intelligence/state/rows/entry.ts'
import { readEntry } from '../../schemas/intelligence/state/rows/read-entry.ts'
import type { History } from '../history/port.ts'
import type { KeyRange } from '../history/sql/queries/rescore-queries.ts'
import type { Environment } from './index/environment.ts'
import { digestOf, keyInto, newKey } from './index/index-key.ts'
import { entitiesIn, keyRanges } from './scan-entities.ts'

/** A value of which index and store say otherwise: the first 16 bytes of its digest, in hexadecimal digits. */
export type Difference = {
  key: string
  /** An entity of the value; null: the store knows none. */
  entityId: string | null
  /** Rows of both sides; null: it knows nothing of the value. */
  index: readonly PresentRow[] | null
  store: readonly PresentRow[] | null
}

export type Compared = { values: number; differences: Difference[] }

export type VerifyPorts = {
  history: Pick<History, 'query'>
  env: Environment
  /** Resolves once the index has all rows that are on the log now. */
  caughtUp(): Promise<void>
}

/** So many differences are named. */
const MOST = 1_000
/** Looks at a value that differs and changes meanwhile. */
const LOOKS = 100
const DIGITS = 32

/**
 * Compares every value of the tables with the index, and of the index with the tables, while both go on: what differs is
 * read again until the index says the same before and after the store was read.
 */
export async function compareIndex(ports: VerifyPorts): Promise<Compared> {
  const compared: Compared = { values: 0, differences: [] }
  await ports.caughtUp()
  for (const range of await keyRanges(ports.history)) {
    const { values, suspects } = await suspectsIn(ports, range)
    compared.values += values
    for (const key of suspects) {
      if (compared.differences.length === MOST) return compared
      const difference = await settled(ports, key)
      if (difference !== null) compared.differences.push(difference)
    }
  }
  return compared
}

/** Values of a part that differ at the first look: many changed between the two readings. */
async function suspectsIn(
  { history, env }: VerifyPorts,
  range: KeyRange,
): Promise<{ values: number; suspects: string[] }> {
  const stored = byKey(await entitiesIn(history, range))
  env.refresh()
  const suspects: string[] = []
  for (const [key, of] of stored) if (differenceOf(env, key, of) !== null) suspects.push(key)
  for (const key of keysIn(env, range)) if (!stored.has(key)) suspects.push(key)
  return { values: stored.size, suspects }
}

const byKey = (entities: readonly IndexedEntity[]): Map<string, IndexedEntity[]> =>
  Map.groupBy(entities, ({ value }) => digestOf(value).slice(0, DIGITS))

/** null: both say the same, or the value changes too often for them to be read at one moment. */
async function settled({ history, env, caughtUp }: VerifyPorts, key: string): Promise<Difference | null> {
  const first = BigInt(`0x${key.slice(0, 16)}`)
  for (let look = 0; look < LOOKS; look++) {
    env.refresh()
    const before = rowsIn(env, key, '')
    const stored = byKey(await entitiesIn(history, { first, last: first })).get(key) ?? []
    // What the store said is in the index then.
    await caughtUp()
    env.refresh()
    const difference = differenceOf(env, key, stored)
    if (difference === null) return null
    if (isDeepStrictEqual(before, rowsIn(env, key, ''))) return difference
  }
  return null
}

function* keysIn({ entries }: Environment, { first, last }: KeyRange): Generator<string> {
  const [start, end] = [Buffer.alloc(8), Buffer.alloc(16, 0xff)]
  start.writeBigUInt64BE(first)
  end.writeBigUInt64BE(last)
  for (const key of entries.getKeys({ start, end })) yield Buffer.from(key).toString('hex')
}

type Rows = { rows: PresentRow[]; isWhole: boolean }

function rowsIn({ entries }: Environment, key: string, value: string): Rows | null {
  const entry = entries.getBinaryFast(keyInto(newKey(), key))
  if (entry === undefined) return null
  const rows: PresentRow[] = []
  const isWhole = readEntry(entry, { value, digest: digestOf(value), whole: true }, () => true, rows)
  return { rows, isWhole }
}

/** What the index would have of these entities of one value. */
function expectedOf(of: readonly IndexedEntity[]): PresentRow[] {
  const rows: PresentRow[] = []
  for (const entity of of) {
    const bytes = encodeEntity(entity)
    const wanted = { value: entity.value, digest: digestOf(entity.value), whole: true }
    if (bytes !== null) readEntry(bytes, wanted, () => true, rows)
  }
  return rows
}

/** @param of the entities of the value that the store knows */
function differenceOf(env: Environment, key: string, of: readonly IndexedEntity[]): Difference | null {
  const [entity] = of
  const expected = expectedOf(of)
  const found = rowsIn(env, key, entity?.value ?? '')
  if (found === null && expected.length === 0) return null
  // Of an entity with hundreds of claims the index says that the store is to be asked.
  if (found !== null && (!found.isWhole || areEqual(found.rows, expected))) return null
  return {
    key,
    entityId: entity === undefined ? null : entityId(entity.type, entity.value),
    index: found?.rows ?? null,
    store: expected.length === 0 ? null : expected,
  }
}

const byPlace = (a: PresentRow, b: PresentRow): number =>
  a.type < b.type ? -1 : a.type > b.type ? 1 : Number(a.audience - b.audience)

function areEqual(index: readonly PresentRow[], store: readonly PresentRow[]): boolean {
  if (index.length !== store.length) return false
  const expected = store.toSorted(byPlace)
  return index.toSorted(byPlace).every((row, i) => isEqual(row, expected[i]!))
}

function isEqual({ claims, ...row }: PresentRow, { claims: said, ...other }: PresentRow): boolean {
  const bySource = (a: { source: string }, b: { source: string }): number => (a.source < b.source ? -1 : 1)
  return isDeepStrictEqual(row, other) && isDeepStrictEqual(claims.toSorted(bySource), said.toSorted(bySource))
}
