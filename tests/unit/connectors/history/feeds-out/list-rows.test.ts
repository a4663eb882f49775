import { expect, test } from 'vitest'
import { begun, itemsIn } from '../../../../../connectors/history/feeds-out/list-rows.ts'
import type { FeedItem } from '../../../../../schemas/feeds-out/formats/format.ts'
import { inPieces, rowsOf, toldRowsOf } from '../../../../builders/feeds/list-rows.ts'
import { randomItems } from '../../../../builders/feeds/random-items.ts'
import { headOf, newFeed } from '../../../../builders/history/feed-lists.ts'

const items = randomItems(50, 3)
const head = headOf(newFeed(), { items: items.length, sequence: 9 })
const headRow = Buffer.from(`${JSON.stringify([JSON.stringify(head), '', '', '', 0, 0, [], '0', '0'])}\n`)
const answer = Buffer.concat([headRow, rowsOf(items)])

async function read(bytes: Buffer, size: number): Promise<FeedItem[]> {
  const found = (await begun(inPieces(bytes, size)))!
  expect(found.head).toEqual(head)
  const all: FeedItem[] = []
  for await (const some of itemsIn(found.rows, found.head.items)) all.push(...some)
  return all
}

test('the head comes first, then every item, however the answer is cut into pieces', async () => {
  for (const size of [1, 7, headRow.length - 1, headRow.length, headRow.length + 1, answer.length])
    expect(await read(answer, size)).toEqual(items)
})

test('an answer of nothing is no list, and one that ends within its head is an error', async () => {
  expect(await begun(inPieces(Buffer.alloc(0), 1))).toBeNull()
  await expect(begun(inPieces(headRow.subarray(0, -1), 10))).rejects.toThrow('ended within the head of a list')
})

test('an answer that was cut off is an error, between rows and within one', async () => {
  const oneLess = Buffer.concat([headRow, rowsOf(items.slice(0, -1))])
  await expect(read(oneLess, 100)).rejects.toThrow('a list of 50 items was read as 49')
  await expect(read(answer.subarray(0, -3), 100)).rejects.toThrow('ended within a row')
})

test('what the list does not show comes with each item where it was asked for', async () => {
  const [first, second] = [items[0]!, items[1]!]
  const { entityId, type, value } = second
  const attributes = { md5: 'a'.repeat(32) }
  const relations = [{}, { attributes }].map((more) => ({
    other: { entityId, type, value, ...more },
    relationship: null,
  }))
  const told = [
    { ...first, count: 12, relations: [...relations, { ...relations[0]!, relationship: 'uses' }], attributes },
    { ...second, count: 0, relations: [], attributes: {} },
  ]
  const all: FeedItem[] = []
  for await (const some of itemsIn(inPieces(toldRowsOf(told), 7), 2)) all.push(...some)
  expect(all).toEqual(told)
})
