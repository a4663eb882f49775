import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { listFolder } from '../../../../connectors/edge-list/list-folder.ts'
import { edgeItem } from '../../../builders/edge/item-list.ts'
import { ownFolder } from '../../../builders/suite/own-folder.ts'

const ITEMS = 9_000
const AT = { feed: 'f', cursor: 'c', sequence: 1, complete: true }
const nameOf = (i: number): string => `name${i}.known.example`
const added = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, i) => ({ item: edgeItem('domain', nameOf(from + i)), gone: false }))

test('a list says all that it has while it reads what it has, and after that; over a restart too', async () => {
  const folder = join(ownFolder('known'), 'edge')
  const lists = listFolder(folder, { writes: true })
  const made = lists.begin('f')
  await made.apply(added(0, ITEMS), { ...AT, complete: false })
  const missing = (list: { items(value: string): readonly unknown[] }, upTo: number): number =>
    Array.from({ length: upTo }, (_, i) => list.items(nameOf(i)).length).filter((found) => found !== 1).length
  let list = await made.finish(AT)
  expect(missing(list, ITEMS)).toBe(0)
  await list.apply(added(ITEMS, 2 * ITEMS), AT)
  expect(missing(list, 2 * ITEMS)).toBe(0)
  await sleep(300)
  expect(missing(list, 2 * ITEMS)).toBe(0)
  await list.close()
  list = lists.open()!
  for (let looks = 0; looks < 5; looks++, await sleep(60)) expect(missing(list, 2 * ITEMS)).toBe(0)
  expect(list.items('nobody.known.example')).toEqual([])
  await list.close()
})
