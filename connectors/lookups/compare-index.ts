import { isDeepStrictEqual } from 'node:util'
import { entityId } from '../../schemas/intelligence/entities/id.ts'
import type { IndexedEntity, PresentRow } from '../../schemas/intelligence/state/present.ts'
import type { History } from '../history/port.ts'
import type { KeyRange } from '../history/sql/queries/rescore-queries.ts'
import { encodeEntity, readEntry } from './index/entry.ts'
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
  /** Resolves once the index has every change that is on the log now. */
  caughtUp(): Promise<void>
}

/** So many differences are named. */
const MOST = 1_000
/** Looks at a part that differs: what changed between the two readings is equal at the next one. */
const LOOKS = 5
/** `lastSeen` may be so much older where only repeats came since (decisions 18.4), in milliseconds. */
const OLDER_MS = 60 * 60_000
const DIGITS = 32

/**
 * Compares every value of the tables with the index, and of the index with the tables, while both go on: a part that differs
 * is read again, and what differs every time is a difference.
 */
export async function compareIndex({ history, env, caughtUp }: VerifyPorts): Promise<Compared> {
  const compared: Compared = { values: 0, differences: [] }
  for (const range of await keyRanges(history)) {
    let found = await comparePart(history, env, range, caughtUp)
    for (let look = 1; look < LOOKS && found.differences.length > 0; look++) {
      const again = await comparePart(history, env, range, caughtUp)
      const before = new Set(found.differences.map(({ key }) => key))
      found = { ...again, differences: again.differences.filter(({ key }) => before.has(key)) }
    }
    compared.values += found.values
    compared.differences.push(...found.differences.slice(0, MOST - compared.differences.length))
  }
  return compared
}

async function comparePart(
  history: VerifyPorts['history'],
  env: Environment,
  range: KeyRange,
  caughtUp: VerifyPorts['caughtUp'],
): Promise<Compared> {
  const stored = Map.groupBy(await entitiesIn(history, range), ({ value }) => digestOf(value).slice(0, DIGITS))
  // What the store says now is in the index then.
  await caughtUp()
  env.refresh()
  const differences: Difference[] = []
  for (const [key, of] of stored) {
    const difference = differenceOf(env, key, of)
    if (difference !== null) differences.push(difference)
  }
  for (const key of keysIn(env, range))
    if (!stored.has(key))
      differences.push({ key, entityId: null, index: rowsIn(env, key, '')?.rows ?? [], store: null })
  return { values: stored.size, differences }
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
  const isWhole = readEntry(entry, { value, digest: digestOf(value) }, () => true, rows)
  return { rows, isWhole }
}

/** What the index would have of these entities of one value. */
function expectedOf(of: readonly IndexedEntity[]): PresentRow[] {
  const rows: PresentRow[] = []
  for (const entity of of) {
    const bytes = encodeEntity(entity)
    if (bytes !== null) readEntry(bytes, { value: entity.value, digest: digestOf(entity.value) }, () => true, rows)
  }
  return rows
}

function differenceOf(env: Environment, key: string, of: readonly IndexedEntity[]): Difference | null {
  const { type, value } = of[0]!
  const expected = expectedOf(of)
  const found = rowsIn(env, key, value)
  if (found === null && expected.length === 0) return null
  // Of an entity with hundreds of claims the index says that the store is to be asked.
  if (found !== null && (!found.isWhole || areEqual(found.rows, expected))) return null
  return {
    key,
    entityId: entityId(type, value),
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

function isEqual(
  { lastSeen, claims, ...row }: PresentRow,
  { lastSeen: last, claims: said, ...other }: PresentRow,
): boolean {
  const age = last - lastSeen
  const bySource = (a: { source: string }, b: { source: string }): number => (a.source < b.source ? -1 : 1)
  return (
    age >= 0 &&
    age <= OLDER_MS &&
    isDeepStrictEqual(row, other) &&
    isDeepStrictEqual(claims.toSorted(bySource), said.toSorted(bySource))
  )
}
