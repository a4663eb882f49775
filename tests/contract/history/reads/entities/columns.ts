import { beforeAll, expect, test } from 'vitest'
import {
  type NetworkColumns,
  networkRows,
  networksOf,
} from '../../../../../connectors/history/sql/queries/networks-queries.ts'
import { type ClaimColumns, claimsBetween } from '../../../../../connectors/history/sql/queries/rescore-queries.ts'
import { entitiesIn } from '../../../../../connectors/lookups/scan-entities.ts'
import { migrated } from '../../../../builders/history/shared.ts'
import type { OpenStore } from '../../../../builders/history/stores.ts'

const ROWS = 20_000
const ALL = { first: 0n, last: 2n ** 64n - 1n }
const AUDIENCE = 7n
/** Of a hundred rows one is marked, and another one has a verdict: so few that the engine keeps those alone. */
const MARKED = 50
const DECIDED = 70

/** Networks, numbered, of which the number says what each column has. */
const INSERT = `INSERT INTO entities (key, digest, type, value, audience, version, reputation, accuracy, well_known, verdict,
    verdict_at, first_seen, last_seen, tags)
  SELECT reinterpretAsUInt64(reverse(substring(SHA256(toString(number)), 1, 8))), SHA256(toString(number)), 'cidr',
    concat('11.', toString(intDiv(number, 256)), '.', toString(number % 256), '.0/24'), ${AUDIENCE}, 1,
    if(number % 100 = ${MARKED}, 0, -(number % 3)), number % 4, if(number % 100 = ${MARKED}, 1, 0),
    if(number % 100 = ${DECIDED}, 3, 0), fromUnixTimestamp64Milli(toInt64(if(number % 100 = ${DECIDED}, number, 0))),
    fromUnixTimestamp64Milli(toInt64(1000 + number)), fromUnixTimestamp64Milli(toInt64(2000 + number)), [toString(number)]
  FROM numbers(${ROWS})`

const numberOf = (value: string): number => {
  const [, high, low] = value.split('.')
  return Number(high) * 256 + Number(low)
}

/** Columns are read one by one into arrays: what stands at one place of all of them is one row. */
export function columnsInOrder(open: OpenStore): void {
  const { history } = migrated(open)

  beforeAll(async () => {
    await history.command(INSERT)
    for (const table of ['entities', 'networks']) await history.command(`OPTIMIZE TABLE ${table} FINAL`)
  })

  const isMarked = (n: number): boolean => n % 100 === MARKED
  const isDecided = (n: number): boolean => n % 100 === DECIDED

  test('the store keeps such columns as the few values that are none by default', async () => {
    const sql = `SELECT DISTINCT serialization_kind AS kind FROM system.parts_columns
      WHERE database = currentDatabase() AND table = 'entities' AND active AND column = 'well_known'`
    expect(await history.query({ sql, params: {} })).toEqual([{ kind: 'Sparse' }])
  })

  test('entities for an index', async () => {
    const entities = await entitiesIn(history, ALL)
    expect(entities).toHaveLength(ROWS)
    const wrong = entities.filter(({ value, rows: [row] }) => {
      const n = numberOf(value)
      return (
        row!.tags[0] !== String(n) ||
        row!.wellKnown !== isMarked(n) ||
        row!.accuracy !== n % 4 ||
        row!.reputation !== (isMarked(n) ? 0 : -(n % 3) || 0) ||
        (row!.verdict?.at ?? 0) !== (isDecided(n) ? n : 0) ||
        row!.lastSeen !== 2000 + n
      )
    })
    expect(wrong).toEqual([])
  })

  test('rows that are scored by other rules', async () => {
    const { sql, params } = claimsBetween(ALL)
    const columns = sql.replace('SELECT', 'SELECT groupArray(materialize(arrayElement(tags, 1))) AS n,')
    const [found] = await history.query<ClaimColumns & { n: string[] }>({ sql: columns, params })
    expect(found!.n).toHaveLength(ROWS)
    const wrong = found!.n.filter(
      (text, i) =>
        found!.marks[i] !== Number(isMarked(Number(text))) ||
        found!.verdict[i] !== (isDecided(Number(text)) ? 3 : 0) ||
        found!.accuracy[i] !== Number(text) % 4,
    )
    expect(wrong).toEqual([])
  })

  test('networks of a reader', async () => {
    const [found] = await history.query<NetworkColumns>(networksOf([AUDIENCE], ROWS))
    const networks = networkRows(found!)
    expect(networks).toHaveLength(ROWS)
    const wrong = networks.filter(({ value, wellKnown, accuracy, lastSeen }) => {
      const n = numberOf(value)
      return wellKnown !== isMarked(n) || accuracy !== n % 4 || lastSeen !== 2000 + n
    })
    expect(wrong).toEqual([])
  })
}
