import { describe, expect, test } from 'vitest'
import { verifyList } from '../../../../../cli/commands/edge/verify-list.ts'
import type { EdgeItem } from '../../../../../connectors/edge-list/port.ts'
import { edgeItem, listedItem } from '../../../../builders/edge/item-list.ts'

const ITEMS = ['a.example', 'b.example', 'c.example'].map((value) => edgeItem('domain', value, { tags: ['x', 'y'] }))

type Given = {
  feed?: readonly EdgeItem[]
  /** Sequences of the feed and of the list, one a question; the last one stays. */
  feedAt?: number[]
  listAt?: number[]
}

async function verify(list: readonly EdgeItem[], { feed = ITEMS, feedAt = [7], listAt = [7] }: Given = {}) {
  const next = (of: number[]): number => (of.length > 1 ? of.shift()! : of[0]!)
  const log = { read: 0, pauses: 0 }
  const found = await verifyList({
    feed: {
      async whole() {
        log.read++
        async function* portions() {
          for (const item of feed) yield [item]
        }
        return { items: feed.length, sequence: next(feedAt), cursor: 'c', portions: portions() }
      },
    },
    list: {
      state: () => ({ feed: 'f', cursor: 'c', sequence: next(listAt), items: list.length, complete: true }),
      items: (value) => list.filter((item) => item.value === value).map(listedItem),
      all: () => list,
    },
    pause: async () => void log.pauses++,
    signal: new AbortController().signal,
  })
  return { ...found, ...log }
}

describe('a list', () => {
  test('is equal in any order of items and tags', async () => {
    const list = ITEMS.toReversed().map((item) => ({ ...item, tags: [...item.tags].reverse() }))
    expect(await verify(list)).toEqual({ sequence: 7, items: 3, differences: [], read: 1, pauses: 0 })
  })

  test('and a feed without items are equal', async () => {
    expect(await verify([], { feed: [] })).toMatchObject({ items: 0, differences: [] })
  })

  test('differs by what is missing, what is another, and what is not in the feed', async () => {
    const other = { ...ITEMS[1]!, reputation: -1 }
    const { differences } = await verify([ITEMS[0]!, other, edgeItem('domain', 'z.example')])
    expect(differences).toEqual([
      'other: domain b.example: reputation -1, accuracy 2, tags x y, not reputation -3, accuracy 2, tags x y',
      'missing: domain c.example',
      'not in the feed: domain z.example',
    ])
  })

  test.each<[string, Partial<EdgeItem>]>([
    ['an accuracy', { accuracy: 3 }],
    ['a tag', { tags: ['x'] }],
    ['a reputation', { reputation: 0 }],
  ])('differs by %s alone', async (_, change) => {
    expect((await verify([{ ...ITEMS[0]!, ...change }, ...ITEMS.slice(1)])).differences).toHaveLength(1)
  })

  test('differs by what stands behind the part that is told', async () => {
    const tags = (last: string) => [...Array.from({ length: 60 }, (_, i) => `tag-${i}`), `z-${last}`]
    const [item] = ITEMS
    const { differences } = await verify([{ ...item!, tags: tags('one') }], { feed: [{ ...item!, tags: tags('two') }] })
    expect(differences).toHaveLength(1)
  })

  test('differs by a type under one value', async () => {
    const { differences } = await verify([...ITEMS.slice(1), edgeItem('hostname', 'a.example')])
    expect(differences).toEqual(['missing: domain a.example', 'not in the feed: hostname a.example'])
  })

  test('that is another one altogether is told in a few lines', async () => {
    const many = Array.from({ length: 100 }, (_, i) => edgeItem('domain', `n${i}.example`))
    expect((await verify(many)).differences).toHaveLength(20)
  })

  test('with values of anybody moves no cursor', async () => {
    const { differences } = await verify([...ITEMS, edgeItem('username', `\u001b[2J\r\n${'x'.repeat(500)}`)])
    expect(differences[0]).toMatch(/^not in the feed: username \?\[2J\?\?x+$/)
    expect(differences[0]!.length).toBeLessThan(260)
  })
})

describe('two sequences', () => {
  test('are compared when the list has caught up', async () => {
    expect(await verify(ITEMS, { feedAt: [9], listAt: [7, 8, 9] })).toMatchObject({ sequence: 9, read: 1, pauses: 2 })
  })

  test('are read again when the list has moved on', async () => {
    expect(await verify(ITEMS, { feedAt: [7, 8], listAt: [8] })).toMatchObject({ sequence: 8, read: 2, pauses: 1 })
  })

  test('that move meanwhile say nothing: it is compared again', async () => {
    const found = await verify(ITEMS.slice(1), { feedAt: [7, 8], listAt: [7, 7, 8] })
    expect(found).toMatchObject({ sequence: 8, read: 2, differences: ['missing: domain a.example'] })
  })

  test('that never meet are an error', async () => {
    await expect(verify(ITEMS, { feedAt: [9], listAt: [7] })).rejects.toThrow('were never at one sequence')
  })
})
