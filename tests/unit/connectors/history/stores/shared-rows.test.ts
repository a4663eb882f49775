import { expect, test } from 'vitest'
import { sharedRows } from '../../../../../connectors/history/stores/shared-rows.ts'
import { entityId } from '../../../../../schemas/intelligence/entities/id.ts'
import { entityKey } from '../../../../../schemas/intelligence/state/entity-state.ts'

const IDS = Array.from({ length: 20 }, (_, i) => entityId('ip', `192.0.2.${i}`))
const KNOWN = new Map(IDS.map((id) => [entityKey(id), { entity_id: id }]))
const PUBLIC = [1n]

type Asked = { keys: readonly bigint[]; audiences: readonly bigint[]; maxBytes: number | undefined }

/** A store that has all of them, and fails where it is told to. */
function store(fail: (asked: Asked) => object | null = () => null) {
  const asked: Asked[] = []
  const read = async (keys: readonly bigint[], audiences: readonly bigint[], maxBytes?: number) => {
    const one = { keys, audiences, maxBytes }
    asked.push(one)
    const error = fail(one)
    if (error !== null) throw error
    return keys.flatMap((key) => KNOWN.get(key) ?? [])
  }
  return { asked, read }
}

test('questions of the same audiences share a statement, and each has its own rows alone', async () => {
  const { asked, read } = store()
  const rowsOf = sharedRows(read)
  const unknown = entityId('ip', '203.0.113.7')
  const found = await Promise.all([...IDS, unknown].map((id) => rowsOf(PUBLIC, [id])))
  expect(found.map((rows) => [...rows.keys()])).toEqual([...IDS.map((id) => [id]), []])
  expect(asked.map(({ keys }) => keys.length)).toEqual([21])
})

test('questions of other audiences have statements of their own', async () => {
  const { asked, read } = store()
  const rowsOf = sharedRows(read)
  await Promise.all([1n, 2n].flatMap((audience) => IDS.slice(0, 3).map((id) => rowsOf([audience], [id]))))
  expect(asked.map(({ keys, audiences }) => [audiences.join(), keys.length])).toEqual([
    ['1', 3],
    ['2', 3],
  ])
})

test('the same id is asked for once', async () => {
  const { asked, read } = store()
  const rowsOf = sharedRows(read)
  const found = await Promise.all([1, 2, 3].map(() => rowsOf(PUBLIC, [IDS[0]!])))
  expect(found.every((rows) => rows.has(IDS[0]!))).toBe(true)
  expect(asked.map(({ keys }) => keys.length)).toEqual([1])
})

test('a statement has a bound, one question may not fill it, and what waits too long a line is asked alone', async () => {
  const { asked, read } = store()
  const rowsOf = sharedRows(read, { most: 4, maxWaiting: 6 })
  await Promise.all([...IDS.slice(0, 8).map((id) => rowsOf(PUBLIC, [id])), rowsOf(PUBLIC, IDS)])
  // Two that found the line full, and the long one; then six in two statements.
  expect(asked.map(({ keys }) => keys.length)).toEqual([1, 1, 20, 4, 2])
})

test('a statement that fails is the failure of those who share it, and the next one is answered', async () => {
  let failing = true
  const { asked, read } = store(() => (failing ? new Error('out of order') : null))
  const rowsOf = sharedRows(read)
  const failed = await Promise.allSettled(IDS.map((id) => rowsOf(PUBLIC, [id])))
  expect(failed.map(({ status }) => status)).toEqual(IDS.map(() => 'rejected'))
  expect(asked.length).toBe(1)
  failing = false
  expect((await rowsOf(PUBLIC, [IDS[3]!])).size).toBe(1)
})

test('a statement that is too large is asked again, each alone, and only what is too large by itself fails', async () => {
  const large = entityKey(IDS[2]!)
  const { asked, read } = store(({ keys }) => (keys.includes(large) ? { code: '396' } : null))
  const rowsOf = sharedRows(read)
  const found = await Promise.allSettled(IDS.slice(0, 4).map((id) => rowsOf(PUBLIC, [id])))
  expect(found.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled'])
  expect(asked.map(({ keys, maxBytes }) => [keys.length, maxBytes !== undefined])).toEqual([
    [4, true],
    [1, false],
    [1, false],
    [1, false],
    [1, false],
  ])
})
