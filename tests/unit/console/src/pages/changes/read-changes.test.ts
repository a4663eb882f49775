import { expect, test } from 'vitest'
import { Problem } from '../../../../../../console/src/api/problem.ts'
import { readChanges } from '../../../../../../console/src/pages/changes/read-changes.ts'

const line = (event: string, data: object = {}): string => `${JSON.stringify({ event, cursor: 'c', data })}\n`
const changes = (...ids: string[]): string => ids.map((id) => line('change', { id })).join('')
const read = async (text: string, most?: number) => {
  const { signal } = new AbortController()
  const found = await readChanges(async () => new Blob([text]).stream(), '2026-11-22T00:00:00Z', signal, most)
  return { ...found, changes: found.changes.map(({ id }) => id) }
}

test('reading stops where the period ends, and tells each change once', async () => {
  const text = changes('a', 'b', 'a') + line('caught-up') + changes('later')
  expect(await read(text)).toEqual({ changes: ['a', 'b'], whole: true })
})

test.each([
  [changes('a', 'b') + line('caught-up'), true],
  [changes('a', 'b', 'b') + line('heartbeat') + line('caught-up'), true],
  [changes('a', 'b', 'c') + line('caught-up'), false],
])('of a period with more than two, the first two are read', async (text, whole) => {
  expect(await read(text, 2)).toEqual({ changes: ['a', 'b'], whole })
})

test('a stream that ends before its time is not the whole period', async () => {
  expect(await read(changes('a'))).toEqual({ changes: ['a'], whole: false })
})

test('a refusal is told as it is', async () => {
  const refused = new Problem('no place', { status: 429 })
  const { signal } = new AbortController()
  await expect(readChanges(() => Promise.reject(refused), 'now', signal)).rejects.toBe(refused)
})
