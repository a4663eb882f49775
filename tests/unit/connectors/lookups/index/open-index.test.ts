import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Environment, openEnvironment } from '../../../../../connectors/lookups/index/environment.ts'
import { type IndexFolder, indexFolder } from '../../../../../connectors/lookups/index/index-folder.ts'
import { indexLookups } from '../../../../../connectors/lookups/index/index-lookups.ts'
import { indexStore } from '../../../../../connectors/lookups/index/open-index.ts'
import type { IndexStore, LookupIndex } from '../../../../../connectors/lookups/port.ts'
import type { IndexedEntity } from '../../../../../schemas/intelligence/state/present.ts'
import { entityRow } from '../../../../builders/intelligence/entity-row.ts'
import { keyedEntry } from '../../../../builders/lookups/keyed.ts'
import { ownFolder } from '../../../../builders/suite/own-folder.ts'

const ROOM = 64 * 1024 * 1024
const own = ownFolder('open-index')
const asked = async () => Promise.reject(new Error('nothing is asked of the store'))
const NEVER = { rows: asked, wholeRows: asked, entities: asked, keyed: asked }

let folder: IndexFolder
let indexes: IndexStore
const closing: { close(): Promise<unknown> }[] = []
beforeEach(() => {
  folder = indexFolder(join(mkdtempSync(join(own, 'data-')), 'lookup-index'))
  indexes = indexStore(folder, ROOM, () => 7)
})
afterEach(async () => {
  for (const one of closing.splice(0).reverse()) await one.close()
})

const OF = { database: 'live', position: 3, applied: [{ to: 2, seal: 's' }] }
const entity = (value: string, tag = 't', type = 'ip'): IndexedEntity => ({
  type,
  value,
  wide: false,
  rows: [entityRow({ tags: [tag] })],
})
const many = (n: number, tag = 't'): IndexedEntity[] => Array.from({ length: n }, (_, i) => entity(`value-${i}`, tag))

async function made(...entities: IndexedEntity[]): Promise<LookupIndex> {
  const index = indexes.begin(OF)
  closing.push(index)
  await index.append(entities, { complete: true })
  index.promote()
  return index
}

function read(): Environment {
  const env = openEnvironment(folder.current()!, null)
  closing.push(env)
  return env
}

const tagsIn = async (env: Environment, ...values: string[]): Promise<Record<string, string>> => {
  const rows = await indexLookups(env, NEVER).rows(new Set(values), [1n])
  return Object.fromEntries([...rows].map(([value, of]) => [value, of.map(({ tags }) => tags).join()]))
}

test('an index is there once it is promoted, with what it is of', async () => {
  expect([indexes.open(), folder.current()]).toEqual([null, null])
  const index = indexes.begin(OF)
  closing.push(index)
  expect(folder.current()).toBeNull()
  await index.append([entity('a')], {})
  expect(index.state()).toEqual({ ...OF, form: expect.any(String), complete: false, builtAt: 7, asOf: 0 })
  await index.append([], { complete: true })
  index.promote()
  await index.close()
  const again = indexes.open()!
  closing.push(again)
  expect(again.state()).toMatchObject({ ...OF, complete: true })
  expect(await tagsIn(read(), 'a', 'b')).toEqual({ a: 't' })
})

test('entities are put in the place of what they were, with all types under a value', async () => {
  const index = await made(entity('a', 'first'), entity('a', 'text', 'text'), entity('b'))
  await index.put([entity('a', 'second'), { ...entity('b'), rows: [] }, entity('c', 'new')].map(keyedEntry), {
    asOf: 9,
  })
  const env = read()
  expect(await tagsIn(env, 'a', 'b', 'c')).toEqual({ a: 'second,text', c: 'new' })
  expect(env.state()?.asOf).toBe(9)
  await index.put([{ ...entity('a'), rows: [] }].map(keyedEntry), {})
  env.refresh()
  expect(await tagsIn(env, 'a')).toEqual({ a: 'text' })
})

test('of more than fits one transaction the state comes with the last', async () => {
  const index = await made(...many(2_500, 'old'))
  const env = read()
  const states: (number | undefined)[] = []
  const changed = many(2_500, 'new').map((one, i) => {
    const { key, entry } = keyedEntry(one)
    if (i % 1_000 !== 999) return { key, entry }
    return {
      key,
      // Read in the transaction.
      get entry() {
        env.refresh()
        states.push(env.state()?.position)
        return entry
      },
    }
  })
  await index.put(changed, { position: 9 })
  expect(states.length).toBeGreaterThan(0)
  expect(new Set(states)).toEqual(new Set([3]))
  env.refresh()
  expect(env.state()?.position).toBe(9)
  expect(Object.values(await tagsIn(env, ...many(2_500).map(({ value }) => value))).every((tag) => tag === 'new')).toBe(
    true,
  )
})

test('a write that fails leaves nothing of it, and the next one goes on', async () => {
  const index = await made(entity('a', 'first'))
  const broken = {
    key: Buffer.alloc(16),
    get entry(): never {
      throw new Error('no room')
    },
  }
  const network = keyedEntry(entity('8.8.8.0/24', 't', 'cidr'))
  const second = keyedEntry(entity('a', 'second'))
  await expect(index.put([second, network, broken], { asOf: 9 })).rejects.toThrow('no room')
  const env = read()
  const around = async () => [
    ...(await indexLookups(env, NEVER).around([{ type: 'ip', value: '8.8.8.8' }], [1n])).values(),
  ]
  expect([index.state().asOf, env.state()?.asOf, await around()]).toEqual([0, 0, []])
  expect(await tagsIn(env, 'a')).toEqual({ a: 'first' })
  await index.put([second, network, network], { asOf: 9 })
  env.refresh()
  expect([await tagsIn(env, 'a'), await around()]).toEqual([{ a: 'second' }, [['8.8.8.0/24']]])
  expect([...env.networks.getRange({})].map(({ value }) => value)).toEqual(['8.8.8.0/24'])
})

test('an index that was not completed is removed, and one that is begun removes all but the one that is read', async () => {
  const half = indexes.begin(OF)
  await half.append([entity('a')], {})
  await half.close()
  expect(readdirSync(folder.root).filter((name) => !/\.(held|opening)$/.test(name))).toEqual([])
  await made(entity('a'))
  const current = folder.current()!
  mkdirSync(join(folder.root, 'of-left-over'))
  const second = indexes.begin(OF)
  closing.push(second)
  expect(existsSync(join(folder.root, 'of-left-over'))).toBe(false)
  expect(await tagsIn(openAndClose(current), 'a')).toEqual({ a: 't' })
  await second.append([entity('a', 'second')], { complete: true })
  second.promote()
  expect(existsSync(current)).toBe(false)
  expect(await tagsIn(read(), 'a')).toEqual({ a: 'second' })
})

function openAndClose(path: string): Environment {
  const env = openEnvironment(path, null)
  closing.push(env)
  return env
}

test.each<[string, (path: string) => void]>([
  ['a file that is none', (path) => writeFileSync(join(path, 'data.mdb'), 'no index at all'.repeat(10_000))],
  ['an empty file', (path) => writeFileSync(join(path, 'data.mdb'), '')],
  ['half a head', (path) => truncateSync(join(path, 'data.mdb'), 100)],
  ['half a file', (path) => truncateSync(join(path, 'data.mdb'), 3 * 4096)],
  ['no file', (path) => rmSync(join(path, 'data.mdb'))],
  ['no folder', (path) => rmSync(path, { recursive: true })],
  [
    'what was not flushed before the machine stopped',
    (path) => {
      rmSync(join(path, 'flushed'))
      writeFileSync(join(path, 'since'), '12345')
    },
  ],
  [
    'what nobody says anything of',
    (path) => {
      rmSync(join(path, 'flushed'))
      rmSync(join(path, 'since'))
    },
  ],
])('%s is removed, and never opened to be read', async (_, damage) => {
  await (await made(...many(2_000))).close()
  const path = folder.current()!
  damage(path)
  expect(() => openEnvironment(path, null)).toThrow()
  expect([indexes.open(), folder.current(), existsSync(path)]).toEqual([null, null, false])
  await made(entity('a', 'again'))
  expect(await tagsIn(read(), 'a')).toEqual({ a: 'again' })
})

test('what was flushed is believed, wherever it was written, and counts as not flushed once it is written to', async () => {
  await (await made(entity('a'))).close()
  const path = folder.current()!
  writeFileSync(join(path, 'since'), '12345')
  const reader = openEnvironment(path, null)
  expect(await tagsIn(reader, 'a')).toEqual({ a: 't' })
  await reader.close()
  const index = indexes.open()!
  expect(existsSync(join(path, 'flushed'))).toBe(false)
  // Whoever opens it meanwhile runs on the same machine.
  expect(await tagsIn(read(), 'a')).toEqual({ a: 't' })
  await index.put([entity('a', 'second')].map(keyedEntry), {})
  await index.close()
  expect(existsSync(join(path, 'flushed'))).toBe(true)
  expect(readFileSync(join(path, 'since'), 'utf8')).not.toBe('12345')
})

test('an index that cannot be opened now is there for the next try', async () => {
  await (await made(entity('a'))).close()
  const since = join(folder.current()!, 'since')
  rmSync(since)
  mkdirSync(since)
  expect(() => indexes.open()).toThrow('EISDIR')
  rmSync(since, { recursive: true })
  const index = indexes.open()!
  closing.push(index)
  expect(await tagsIn(read(), 'a')).toEqual({ a: 't' })
})

test('an index of another form, and half of one, is removed', async () => {
  for (const of of [{ form: '0-other' }, { complete: false }]) {
    const index = await made(entity('a'))
    await index.put([], of)
    await index.close()
    expect([indexes.open(), folder.current()]).toEqual([null, null])
  }
})

test('a process that reads an index may come to write it, and one that ends leaves it to the others', async () => {
  await (await made(entity('a'))).close()
  const reader = read()
  expect(await tagsIn(reader, 'a')).toEqual({ a: 't' })
  const index = indexes.open()!
  await index.put([entity('a', 'second')].map(keyedEntry), {})
  reader.refresh()
  expect(await tagsIn(reader, 'a')).toEqual({ a: 'second' })
  await index.close()
  expect(await tagsIn(reader, 'a')).toEqual({ a: 'second' })
  const again = indexes.open()!
  closing.push(again)
  await reader.close()
  await again.put([entity('a', 'third')].map(keyedEntry), {})
  expect(await tagsIn(read(), 'a')).toEqual({ a: 'third' })
})

test('a folder that is deleted while it is written ends without a failure', async () => {
  const index = await made(entity('a'))
  const reader = read()
  rmSync(folder.root, { recursive: true })
  expect(() => index.bytes()).toThrow('ENOENT')
  await index.close()
  expect(await tagsIn(reader, 'a')).toEqual({ a: 't' })
  expect([indexes.open(), existsSync(folder.root)]).toEqual([null, false])
  indexes.clear()
  await made(entity('a', 'again'))
  expect(await tagsIn(read(), 'a')).toEqual({ a: 'again' })
})

test('folders are open to nobody else, and so are the files that say what is in them', async () => {
  await (await made(entity('a'))).close()
  folder.ask()
  const mode = (...path: string[]): string => (statSync(join(folder.root, ...path)).mode & 0o777).toString(8)
  const current = folder.current()!.slice(folder.root.length + 1)
  expect([mode(), mode(current)]).toEqual(['700', '700'])
  const files = [[current, 'flushed'], [current, 'since'], ['asked'], ['current']]
  expect(files.map((path) => mode(...path))).toEqual(files.map(() => '600'))
})
