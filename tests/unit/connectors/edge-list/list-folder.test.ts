import { existsSync, mkdtempSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { FORM } from '../../../../connectors/edge-list/entry.ts'
import { listFolder } from '../../../../connectors/edge-list/list-folder.ts'
import type { EdgeItem, EdgeList, EdgeLists } from '../../../../connectors/edge-list/port.ts'
import { openEnvironment } from '../../../../connectors/lmdb/environment.ts'
import { edgeItem } from '../../../builders/edge/item-list.ts'
import { ownFolder } from '../../../builders/suite/own-folder.ts'

const folder = ownFolder('edge-folder')
const AT = { feed: 'f', cursor: 'c7', sequence: 7, complete: true }
const ITEMS = ['a.example', 'b.example'].map((value) => edgeItem('domain', value))
const opened: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close()
})

const closed = <T extends { close(): Promise<void> } | null>(list: T): T => {
  if (list !== null) opened.push(list)
  return list
}

const adding = (items: readonly EdgeItem[]) => items.map((item) => ({ item, gone: false }))

async function made(lists: EdgeLists, items: readonly EdgeItem[] = ITEMS): Promise<EdgeList> {
  const begun = lists.begin('f')
  await begun.apply(adding(items), { ...AT, complete: false })
  return begun.finish(AT)
}

function fresh() {
  const data = mkdtempSync(join(folder, 'data-'))
  const parts = (): string[] =>
    existsSync(join(data, 'lists'))
      ? readdirSync(join(data, 'lists')).filter((name) => /^of-[0-9a-f-]+$/.test(name))
      : []
  return { data, lists: listFolder(data, { writes: true }), parts }
}

const values = (list: EdgeList | null): string[] => [...(list?.all() ?? [])].map(({ value }) => value).sort()

test('of an empty folder there is no list, to write or to read', () => {
  const { data, lists } = fresh()
  expect([lists.open(), listFolder(data, { writes: false }).open()]).toEqual([null, null])
  expect(listFolder(join(data, 'nothing'), { writes: false }).open()).toBeNull()
})

describe('a list that is made', () => {
  test('is the one of the folder once it is finished, for its owner alone', async () => {
    const { data, lists, parts } = fresh()
    await (await made(lists)).close()
    const list = closed(lists.open())!
    expect(values(list)).toEqual(['a.example', 'b.example'])
    expect(list.state()).toMatchObject({ ...AT, items: 2 })
    for (const path of [join(data, 'lists'), ...parts().map((name) => join(data, 'lists', name))])
      expect(statSync(path).mode & 0o077).toBe(0)
  })

  test('does not take the place of the other before, and that one answers meanwhile', async () => {
    const { lists, parts } = fresh()
    const before = closed(await made(lists))
    const begun = closed(lists.begin('f'))
    await begun.apply(adding([edgeItem('domain', 'n.example')]), { ...AT, complete: false })
    expect(values(before)).toEqual(['a.example', 'b.example'])
    const other = closed(lists.open())
    expect(values(other)).toEqual(['a.example', 'b.example'])
    expect(parts()).toHaveLength(2)
  })

  test('and was left in the middle is never opened, and is removed', async () => {
    const { data, lists, parts } = fresh()
    const begun = closed(lists.begin('f'))
    await begun.apply(adding(ITEMS), { ...AT, complete: false })
    expect(listFolder(data, { writes: true }).open()).toBeNull()
    await opened.pop()!.close()
    lists.removeOthers()
    expect(parts()).toEqual([])
  })

  test('leaves the folder of the one before until that is removed', async () => {
    const { lists, parts } = fresh()
    await (await made(lists)).close()
    await (await made(lists, [edgeItem('domain', 'n.example')])).close()
    expect(parts()).toHaveLength(2)
    lists.removeOthers()
    expect(parts()).toHaveLength(1)
    expect(values(closed(lists.open()))).toEqual(['n.example'])
  })
})

describe('a second process', () => {
  test('reads what the first one writes, and its state', async () => {
    const { data, lists } = fresh()
    const writer = closed(await made(lists))
    const reader = closed(listFolder(data, { writes: false }).open())!
    expect(values(reader)).toEqual(['a.example', 'b.example'])
    await writer.apply(adding([edgeItem('domain', 'n.example')]), { ...AT, cursor: 'c8', sequence: 8 })
    expect(reader.state()).toMatchObject({ cursor: 'c8', sequence: 8, items: 3 })
    expect(values(reader)).toEqual(['a.example', 'b.example', 'n.example'])
    await writer.apply([{ item: ITEMS[0]!, gone: true }], { ...AT, cursor: 'c9', sequence: 9 })
    expect([reader.state().sequence, reader.items('a.example')]).toEqual([9, []])
  })
})

describe('what cannot be read is no list', () => {
  /** The folder of the list, closed. */
  async function current() {
    const { data, lists } = fresh()
    await (await made(lists)).close()
    const name = readFileSync(join(data, 'lists', 'current'), 'utf8').trim()
    return { data, lists, path: join(data, 'lists', name) }
  }

  test.each(['0', '2', undefined])('of another form: %s', async (form) => {
    const { lists, path } = await current()
    expect(form).not.toBe(FORM)
    const env = openEnvironment<object, object>(path, { maxBytes: 2 ** 26, durable: true }, () => ({}))
    const state = env.state()!
    await env.write(() => ({ ...state, form }))
    await env.close()
    expect(lists.open()).toBeNull()
  })

  test('cut on the disk', async () => {
    const { lists, path } = await current()
    truncateSync(join(path, 'data.mdb'), 8_192)
    expect(lists.open()).toBeNull()
  })

  test.each(['../../etc', 'of-1', '', 'nothing'])('a name that is none of ours: %j', async (name) => {
    const { data, lists } = await current()
    writeFileSync(join(data, 'lists', 'current'), name)
    expect(lists.open()).toBeNull()
  })
})
