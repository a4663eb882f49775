import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openMispFeed } from '../../../connectors/feeds/misp-place.ts'
import type { FeedItem } from '../../../connectors/feeds/parse/item.ts'
import { readManifest } from '../../../connectors/feeds/parse/misp/manifest.ts'
import { eventNamed } from '../../../connectors/feeds/parse/misp/single.ts'
import { misp } from '../../../schemas/feeds-out/formats/exchange/misp.ts'
import { writtenOf } from '../../builders/feeds/list-items.ts'
import { expectBack, readBack } from '../../builders/feeds/misp/back.ts'
import { mispItems } from '../../builders/feeds/misp/items.ts'
import { exchangeClient } from '../../clients/exchange.ts'
import { PREPARED_MS } from '../../clients/once.ts'

/** Events between this platform and PyMISP, in both directions (decisions 15.4). */

const EVENTS = 25

let folder: string
let missing: string | null = null
let pymisp: Awaited<ReturnType<typeof exchangeClient>>
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'harrier-pymisp-'))
  try {
    pymisp = await exchangeClient('misp.py')
  } catch (error) {
    if (process.env.CI !== undefined) throw error
    missing = `no PyMISP: ${(error as Error).message.split('\n')[0]}`
  }
}, PREPARED_MS)
afterAll(() => rm(folder, { recursive: true }))

test('random items come back equal from an event that PyMISP loaded and wrote again', async ({ skip }) => {
  if (missing !== null) return skip(missing)
  const lists = fc.sample(mispItems, EVENTS)
  const files = lists.map((_, i) => join(folder, `event-${i}.json`))
  for (const [i, items] of lists.entries()) await writeFile(files[i]!, writtenOf(misp, items).bytes)
  const told = (await pymisp('again', ...files)) as { attributes: number }[]
  expect(told.map(({ attributes }) => attributes)).toEqual(lists.map((items) => items.length))
  for (const [i, items] of lists.entries()) {
    const again = await readFile(`${files[i]}.again`, 'utf8')
    await expectBack(again, items)
    for (const attribute of JSON.parse(again).Attribute ?? []) {
      expect(attribute.first_seen).toMatch(/^\d{4}-/)
      expect(attribute.last_seen >= attribute.first_seen).toBe(true)
    }
  }
})

describe('a feed that PyMISP wrote', () => {
  const items = new Map<string, readonly FeedItem[]>()
  beforeAll(async () => {
    if (missing !== null) return
    await pymisp('make', folder)
    const place = await openMispFeed(folder)
    const { entries, faults } = readManifest(await place.manifest())
    expect([entries.length, faults]).toEqual([3, []])
    for (const { uuid } of entries)
      items.set(uuid, eventNamed(uuid, await place.event(uuid), { reputation: -3, tags: [] }))
  })
  const event = (n: number) => items.get(`10000000-0000-4000-8000-00000000000${n}`)!
  const entities = (n: number) => event(n).flatMap((item) => ('entity' in item ? [item.entity] : []))
  const of = (n: number, type: string, value: string) =>
    entities(n).find((entity) => entity.type === type && entity.attributes[type] === value)

  test('has its indicators, tags of galaxies and taxonomies, and text in every script', ({ skip }) => {
    if (missing !== null) return skip(missing)
    const tags = ['tlp:clear', 'misp-galaxy:threat-actor="APT 29"', 'admiralty-scale:source-reliability="b"']
    expect(of(1, 'url', 'http://bad.example/ü?q=中')).toMatchObject({
      reputation: -3,
      tags: ['veris:actor:motive="Espionage"', ...tags],
    })
    expect(of(1, 'filename', 'счёт \u{1f4a9}.exe')).toMatchObject({ reputation: -3, tags })
    expect(of(1, 'domain', 'both.example')).toMatchObject({
      reputation: -3,
      associations: [{ mode: 'association', type: 'ip', attributes: { ip: '8.8.4.4' } }],
    })
    expect(of(1, 'ip', '8.8.4.5')).toMatchObject({ attributes: { port: '443/tcp' } })
    expect(of(1, 'domain', 'only-seen.example')).toMatchObject({
      reputation: null,
      attributes: { text: 'Kommentar mit Ümläuten' },
    })
  })

  test('states nothing of what was deleted, and says why of what is no indicator', ({ skip }) => {
    if (missing !== null) return skip(missing)
    expect(JSON.stringify([event(1), event(2)])).not.toContain('gone')
    expect(event(1).filter((item) => 'rejected' in item)).toMatchObject([{ rejected: expect.stringContaining('yara') }])
  })

  test('has its objects with their references, and clusters without tags as tags', ({ skip }) => {
    if (missing !== null) return skip(missing)
    const file = of(2, 'file', '0cc175b9c0f1b6a831c399e269772661')
    expect(file!.tags).toContain('misp-galaxy:malpedia="Emotet"')
    expect(file!.associations!.map(({ attributes }) => attributes)).toContainEqual({ domain: 'c2.example' })
    expect(of(2, 'domain', 'c2.example')).toMatchObject({ reputation: -3 })
  })

  test('keeps the marking of an event', ({ skip }) => {
    if (missing !== null) return skip(missing)
    expect(event(3)).toMatchObject([{ marking: 'amber+strict' }])
  })
})

const REAL = [1, 2]
  .map((up) => resolve(import.meta.dirname, '../../..', '../'.repeat(up), 'shared/data/misp'))
  .find(existsSync)

test('real events say the same after PyMISP loaded and wrote them again', async ({ skip }) => {
  if (missing !== null) return skip(missing)
  if (REAL === undefined) return skip('no real events beside the tree')
  const names = (await readdir(REAL)).filter((name) => name.endsWith('.json'))
  expect(names.length).toBeGreaterThan(0)
  for (const name of names) {
    const text = await readFile(join(REAL, name), 'utf8')
    const copy = join(folder, name)
    await writeFile(copy, text)
    await pymisp('again', copy)
    const read = async (event: string) =>
      (await readBack(event, true)).map(({ id, reputation }) => `${id} ${reputation}`).sort()
    expect(await read(await readFile(`${copy}.again`, 'utf8'))).toEqual(await read(text))
  }
})
