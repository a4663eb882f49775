import { mkdirSync, mkdtempSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { openList } from '../../../../connectors/edge-list/list.ts'
import type { EdgeChange, EdgeItem, EdgeList } from '../../../../connectors/edge-list/port.ts'
import { edgeItem, listedItem } from '../../../builders/edge/item-list.ts'
import { ownFolder } from '../../../builders/suite/own-folder.ts'

const folder = ownFolder('edge-list')
const ROOM = 64 * 1024 * 1024
const AT = { feed: 'f', cursor: 'c1', sequence: 1, complete: true }
const open: EdgeList[] = []
afterEach(async () => {
  for (const list of open.splice(0)) await list.close()
})

const add = (...items: EdgeItem[]): EdgeChange[] => items.map((item) => ({ item, gone: false }))
const drop = (...items: EdgeItem[]): EdgeChange[] => items.map((item) => ({ item, gone: true }))

/** A list at a path, or a new one. */
function listAt(path = mkdtempSync(join(folder, 'list-'))): EdgeList {
  mkdirSync(path, { recursive: true })
  const list = openList(path, ROOM, null)
  open.push(list)
  return list
}

async function listOf(...items: EdgeItem[]): Promise<EdgeList> {
  const list = listAt()
  await list.apply(add(...items), AT)
  return list
}

const around = (list: EdgeList, value: string): string[] =>
  list.around({ type: value.includes('/') ? 'cidr' : 'ip', value })

describe('items', () => {
  const worst = edgeItem('domain', 'evil.example', { accuracy: 3, tags: ['c2', 'примір, "x"'] })

  test('are found by their value alone, with all that they say', async () => {
    const list = await listOf(worst, edgeItem('ip', '203.0.113.9', { reputation: 0 }))
    expect(list.items('evil.example')).toEqual([listedItem(worst)])
    expect(list.items('203.0.113.9')).toEqual([listedItem(edgeItem('ip', '203.0.113.9', { reputation: 0 }))])
    for (const value of ['EVIL.example', 'evil.exampl', '', 'example']) expect(list.items(value)).toEqual([])
  })

  test('of several types under one value come, change and go each by itself', async () => {
    const other = edgeItem('hostname', 'evil.example', { reputation: -1 })
    const list = await listOf(worst, other, edgeItem('password', 'evil.example'))
    expect(list.items('evil.example')).toHaveLength(3)
    expect(list.state().items).toBe(3)
    await list.apply([...drop(worst), ...add({ ...other, reputation: 2 })], AT)
    expect(list.items('evil.example').map(({ type, reputation }) => [type, reputation])).toEqual([
      ['hostname', 2],
      ['password', -3],
    ])
    await list.apply(drop(other, edgeItem('password', 'evil.example'), worst), AT)
    expect([list.items('evil.example'), list.state().items]).toEqual([[], 0])
  })

  test('that come twice or go twice count once', async () => {
    const list = await listOf(worst, worst)
    expect(list.state().items).toBe(1)
    await list.apply([...add(worst), ...drop(worst), ...drop(worst)], AT)
    expect(list.state().items).toBe(0)
    await list.apply([...drop(worst), ...add(worst)], AT)
    expect([list.state().items, [...list.all()]]).toEqual([1, [worst]])
  })

  test('of any text are kept as they are', async () => {
    const values = ['', ' ', '\0', '\u2028', 'я'.repeat(1_024), '🜁', '["a"]', 'x\r\ny', '__proto__']
    const list = await listOf(...values.map((value) => edgeItem('username', value)))
    for (const value of values) expect(list.items(value)).toEqual([listedItem(edgeItem('username', value))])
    expect(new Set([...list.all()].map(({ value }) => value))).toEqual(new Set(values))
  })
})

describe('networks', () => {
  const wide = edgeItem('cidr', '203.0.112.0/22')
  const narrow = edgeItem('cidr', '203.0.113.64/26', { reputation: 0 })

  test('around an address or a network are told narrowest first, without its own value', async () => {
    const list = await listOf(wide, narrow, edgeItem('cidr', '0.0.0.0/0'), edgeItem('cidr', '2001:db8::/32'))
    expect(around(list, '203.0.113.65')).toEqual(['203.0.113.64/26', '203.0.112.0/22', '0.0.0.0/0'])
    expect(around(list, '203.0.113.64/26')).toEqual(['203.0.112.0/22', '0.0.0.0/0'])
    expect(around(list, '203.0.112.0/21')).toEqual(['0.0.0.0/0'])
    expect(around(list, '2001:db8::9')).toEqual(['2001:db8::/32'])
    expect(around(list, '2001:db9::9')).toEqual([])
  })

  test('come and go, and stand there once', async () => {
    const list = await listOf(wide, wide)
    await list.apply(add({ ...wide, reputation: -1 }, narrow), AT)
    expect(around(list, '203.0.113.65')).toEqual(['203.0.113.64/26', '203.0.112.0/22'])
    await list.apply(drop(wide), AT)
    expect(around(list, '203.0.113.65')).toEqual(['203.0.113.64/26'])
    await list.apply(drop(wide, narrow), AT)
    expect(around(list, '203.0.113.65')).toEqual([])
    await list.apply([...add(wide), ...drop(wide), ...add(wide)], AT)
    expect(around(list, '203.0.113.65')).toEqual(['203.0.112.0/22'])
  })

  test('are those of the type alone, and another type under the value leaves them', async () => {
    const text = edgeItem('password', wide.value)
    const list = await listOf(text)
    expect(around(list, '203.0.113.65')).toEqual([])
    await list.apply(add(wide), AT)
    await list.apply(drop(text), AT)
    expect(around(list, '203.0.113.65')).toEqual([wide.value])
  })
})

describe('on the disk', () => {
  const many = Array.from({ length: 2_500 }, (_, i) => edgeItem('domain', `n${i}.example`))

  test('it is there again after it was closed, with its networks and its state', async () => {
    const path = mkdtempSync(join(folder, 'again-'))
    const first = listAt(path)
    await first.apply(add(...many, edgeItem('cidr', '203.0.112.0/22')), { ...AT, cursor: 'c9', sequence: 9 })
    await open.pop()!.close()
    const again = listAt(path)
    expect(again.state()).toMatchObject({ feed: 'f', cursor: 'c9', sequence: 9, items: 2_501, complete: true })
    expect([again.items('n2499.example').length, around(again, '203.0.113.1')]).toEqual([1, ['203.0.112.0/22']])
  })

  test('changes of many portions let others answer, at the cursor of before until the last of them is there', async () => {
    const list = listAt()
    await list.apply([], AT)
    const states: string[] = []
    const applied = list.apply(add(...many), { ...AT, cursor: 'c2', sequence: 2 })
    for (let over = false; !over; ) {
      const { cursor, items } = list.state()
      states.push(`${cursor} ${items}`)
      over = await Promise.race([applied.then(() => true), new Promise<false>((r) => setImmediate(() => r(false)))])
    }
    expect(list.state()).toMatchObject({ cursor: 'c2', sequence: 2, items: 2_500 })
    expect(new Set(states)).toContain('c1 1000')
    for (const state of states) expect(state).toMatch(/^c1 (?:0|1000|2000)$|^c2 2500$/)
  })

  test('the same changes once more change nothing: they are asked for again after a kill', async () => {
    const changes = [...add(...many.slice(0, 1_500)), ...drop(...many.slice(0, 10))]
    const list = await listOf()
    await list.apply(changes.slice(0, 1_000), { ...AT, complete: true })
    await list.apply(changes, { ...AT, cursor: 'c2' })
    expect([list.state().items, [...list.all()].length]).toEqual([1_490, 1_490])
  })

  test('has no more than its own files, for its owner alone', async () => {
    const path = mkdtempSync(join(folder, 'files-'))
    listAt(path)
    expect(readdirSync(path).filter((name) => name.endsWith('.mdb'))).toEqual(['data.mdb', 'lock.mdb'])
  })
})
