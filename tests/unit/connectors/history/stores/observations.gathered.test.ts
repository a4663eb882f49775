import { afterEach, expect, test, vi } from 'vitest'
import { string, table, uint8 } from '../../../../../connectors/history/native/native.ts'
import type { Block } from '../../../../../connectors/history/port.ts'
import { gatheredWrites } from '../../../../../connectors/history/stores/observations.ts'

afterEach(() => void vi.useRealTimers())

type Row = { word: string; n: number }

/** Writes of a table that keeps the text of each block, and how many writers were made for it. */
function writes() {
  const stored: { token: string; rows: number; text: string }[] = []
  const made = { writers: 0, fail: false }
  const history = {
    async insert(_: string, { rows, bytes }: Block, token: string) {
      if (made.fail) throw new Error('the disk is full')
      stored.push({ token, rows, text: bytes.toString('latin1') })
    },
  }
  const make = () => {
    made.writers++
    return table({ word: string, n: uint8 })
  }
  return { stored, made, writes: gatheredWrites<Row, Row>(history, 'words', make, (row) => row) }
}

const row = (word: string): Row => ({ word, n: 1 })

test('rows that are gathered at the same time go to blocks of their own', async () => {
  const { stored, made, writes: words } = writes()
  const [a, b] = [words.gather(), words.gather()]
  for (const word of ['anna', 'bert', 'asta']) (word.startsWith('a') ? a : b).push(row(word))
  expect([a.length, b.length]).toEqual([2, 1])
  await words.write(b, 'B')
  await words.write(a, 'A')
  expect(stored.map(({ token, rows }) => [token, rows])).toEqual([
    ['B', 1],
    ['A', 2],
  ])
  expect(stored[0]!.text).toContain('bert')
  expect(stored[1]!.text).toContain('anna')
  expect(stored[1]!.text).not.toContain('bert')
  const [c, d] = [words.gather(), words.gather()]
  expect([c.length, d.length, made.writers]).toEqual([0, 0, 2])
})

test('a list is written as what was gathered', async () => {
  const { stored, writes: words } = writes()
  await words.write([row('anna'), row('bert')], 'list')
  const gathered = words.gather()
  for (const word of ['anna', 'bert']) gathered.push(row(word))
  await words.write(gathered, 'gathered')
  expect(stored[1]!.text).toBe(stored[0]!.text)
})

test('what could not be stored is left, and the next rows do not meet it', async () => {
  const { stored, made, writes: words } = writes()
  made.fail = true
  await expect(words.write([row('anna')], '1')).rejects.toThrow('the disk is full')
  made.fail = false
  await words.write([row('bert')], '2')
  expect(stored.map(({ rows }) => rows)).toEqual([1])
})

test('rows are written once, by the table that gathered them', async () => {
  const { writes: words } = writes()
  const gathered = words.gather()
  await words.write(gathered, '1')
  await expect(words.write(gathered, '2')).rejects.toThrow('gathered elsewhere')
})

test('memory is used again while rows come, bounded, and given back two seconds after the last of them', async () => {
  vi.useFakeTimers()
  const { made, writes: words } = writes()
  const [a, b, c] = [words.gather(), words.gather(), words.gather()]
  for (const [i, rows] of [a, b, c].entries()) await words.write(rows, `${i}`)
  expect(made.writers).toBe(3)
  for (let i = 0; i < 3; i++) words.gather()
  expect(made.writers).toBe(4)
  await words.write([row('anna')], 'last but one')
  vi.advanceTimersByTime(1_500)
  await words.write([row('bert')], 'last')
  vi.advanceTimersByTime(1_500)
  await words.write([row('carl')], 'soon after')
  expect(made.writers).toBe(5)
  vi.advanceTimersByTime(2_000)
  words.gather()
  expect(made.writers).toBe(6)
})
