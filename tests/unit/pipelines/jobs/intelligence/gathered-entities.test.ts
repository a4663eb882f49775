import { expect, test } from 'vitest'
import type { Batch } from '../../../../../connectors/log/port.ts'
import { gatheredEntities } from '../../../../../pipelines/jobs/intelligence/gathered-entities.ts'
import { entityId } from '../../../../../schemas/intelligence/entities/id.ts'
import type { EntityState } from '../../../../../schemas/intelligence/state/entity-state.ts'
import type { PresentRow } from '../../../../../schemas/intelligence/state/present.ts'
import { ENTRY_FORM } from '../../../../../schemas/intelligence/state/rows/entry.ts'
import { readEntry } from '../../../../../schemas/intelligence/state/rows/read-entry.ts'
import { entriesIn, type StoredRows, sealOf } from '../../../../../schemas/intelligence/state/rows/stored-rows.ts'
import { decoder } from '../../../../../schemas/log/codec.ts'
import { records } from '../../../../../schemas/log/records.ts'
import { entityRow } from '../../../../builders/intelligence/entity-row.ts'

const LAST = Buffer.from('the last record')
const BATCH = { partition: 3, from: 10, to: 14, messages: [{ value: null }, { value: LAST }] } as Batch

const row = (value: string, given: Partial<EntityState> = {}): EntityState =>
  entityRow({ type: 'ip', value, entityId: entityId('ip', value), ...given })

const decode = decoder<StoredRows>(records.storedRows, () => records.storedRows)

function sent(...entities: EntityState[][]): StoredRows[] {
  const gathered = gatheredEntities(7, 'live', BATCH)
  for (const rows of entities) gathered.push(rows)
  return gathered.messages().map(({ value, partition }) => {
    const read = decode(value!)
    if (!read.ok) throw new Error(read.reason)
    expect(partition).toBe(0)
    return read.record
  })
}

const rowsIn = (all: readonly StoredRows[]): PresentRow[] =>
  all
    .flatMap((one) => entriesIn(one)!)
    .flatMap(({ key, entry }) => {
      const found: PresentRow[] = []
      readEntry(entry, { value: '', digest: key.toString('hex'), whole: true }, () => true, found)
      return found
    })

test('the rows of a batch are one record, which says what it is of', () => {
  const [one, ...others] = sent([row('8.8.8.8', { tags: ['t'], attributes: { port: '80' } })], [row('9.9.9.9')])
  expect(others).toEqual([])
  expect(one).toMatchObject({ form: ENTRY_FORM, database: 'live', partition: 3, from: 10, to: 14, part: 0, last: true })
  expect(one!.seal).toBe(sealOf(LAST))
  expect(rowsIn([one!])).toMatchObject([
    { entityId: entityId('ip', '8.8.8.8').slice(0, 35), tags: ['t'], attributes: { port: '80' } },
    { entityId: entityId('ip', '9.9.9.9').slice(0, 35) },
  ])
})

test('a batch that changed nothing is one too', () => {
  expect(sent()).toMatchObject([{ part: 0, last: true, entries: Buffer.alloc(0) }])
})

test('many rows are several records, of which the last one says so', () => {
  const tags = Array.from({ length: 100 }, (_, i) => `a tag of some length ${i}`)
  const all = sent(...Array.from({ length: 400 }, (_, i) => [row(`8.8.${i >> 8}.${i & 255}`, { tags })]))
  expect(all.length).toBeGreaterThan(1)
  expect(all.map(({ part, last }) => [part, last])).toEqual(all.map((_, i) => [i, i === all.length - 1]))
  for (const { entries } of all) expect(entries.length).toBeLessThanOrEqual(512 * 1024)
  expect(rowsIn(all)).toHaveLength(400)
})

test('an entity that is larger than a record alone may be is in one of its own, and says that the store is to be asked', () => {
  const tags = Array.from({ length: 4_000 }, (_, i) => `${'x'.repeat(200)} ${i}`)
  const all = sent([row('8.8.8.8')], [row('9.9.9.9', { tags })], [row('7.7.7.7')])
  expect(all).toHaveLength(1)
  const whole = entriesIn(all[0]!)!.map(({ entry }) =>
    readEntry(entry, { value: '', digest: '', whole: true }, () => true, []),
  )
  expect(whole).toEqual([true, false, true])
})

test('of an entity with very many claims its rows are there without them', () => {
  const [first] = row('8.8.8.8').claims
  const claims = Array.from({ length: 200 }, (_, i) => ({ ...first!, source: `source-${i}` }))
  const several = [1n, 2n].map((audience) => row('8.8.8.8', { audience, claims, sources: claims.length }))
  const { entry } = entriesIn(sent(several)[0]!)![0]!
  const wanted = { value: '8.8.8.8', digest: '', whole: true }
  const found: PresentRow[] = []
  expect(readEntry(entry, wanted, () => true, [])).toBe(false)
  expect(readEntry(entry, wanted, (low) => low === 1, found)).toBe(true)
  expect(found).toMatchObject([{ audience: 1n, claims: [] }])
})
