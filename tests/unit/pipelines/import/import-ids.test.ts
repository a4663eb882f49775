import { expect, test } from 'vitest'
import { importIds } from '../../../../pipelines/import/import-ids.ts'

const UUID_V8 = /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

test('ids are UUIDs of version 8', () => {
  const { submissionId, nextId } = importIds('a').of(2 ** 40)
  for (const id of [submissionId, nextId(), nextId()]) expect(id).toMatch(UUID_V8)
})

test('the same import and line give the same ids, anything else gives others', () => {
  const of = (name: string, line: number) => {
    const { submissionId, nextId } = importIds(name).of(line)
    return [submissionId, ...Array.from({ length: 1_000 }, nextId)]
  }
  expect(of('a', 7)).toEqual(of('a', 7))
  const all = [...of('a', 7), ...of('a', 8), ...of('b', 7)]
  expect(new Set(all).size).toBe(all.length)
})

test('an id tells whether it is of the import and after a line', () => {
  const ids = importIds('a')
  const id = ids.of(1_000_000).nextId()
  expect(ids.isAfter(999_999, id)).toBe(true)
  expect(ids.isAfter(1_000_000, id)).toBe(false)
  expect(importIds('b').isAfter(0, id)).toBe(false)
})
