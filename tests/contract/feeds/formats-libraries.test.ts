import { writeFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { FeedItem } from '../../../schemas/feeds-out/formats/format.ts'
import { formatNamed } from '../../../schemas/feeds-out/formats/format-table.ts'
import { PARQUET_COLUMNS } from '../../../schemas/feeds-out/formats/text/parquet.ts'
import { highestNames, narrowest } from '../../builders/feeds/covered.ts'
import { feedFiles, feedItems } from '../../builders/feeds/feed-files.ts'
import { carriedBy, FACTS, writtenOf } from '../../builders/feeds/list-items.ts'
import { ownSessions } from '../../builders/history/engine-reading.ts'
import { PREPARED_MS } from '../../clients/once.ts'
import { orSkip, readFeeds } from '../../clients/prepare.ts'

/** Feeds out of hostile values and 10,000 random items, as the libraries of others read them (decisions 11.6, 15). */

/** Items whose Parquet file the engine writes: they reach it in the text of a statement. */
const PARQUET_ITEMS = 400
const LOOKED_UP = 60

const items = feedItems()
const carried = (name: string, of: readonly FeedItem[] = items): FeedItem[] => carriedBy(formatNamed(name)!, of)
const inParquet = items.filter(({ value }) => value.length < 300 && value.isWellFormed()).slice(-PARQUET_ITEMS)
const addresses = carried('mmdb')
  .filter((_, at) => at % 31 === 0)
  .slice(0, LOOKED_UP)
  .map(({ value }) => value.split('/')[0]!)

type Read = {
  rpz: { serial: number; names: [string, string][] }
  mmdb: { networks: number; found: ({ id: string; reputation: number; accuracy: number; tags: string[] } | null)[] }
  stix: { objects: number; other_ids: string[]; duplicates: number; refused: string[] }
  misp: { info: string; tags: string[]; attributes: [string, string, boolean, string[]][] }
  text: string[]
  csv: Record<string, string>[]
  ndjson: Record<string, unknown>[]
  parquet: { columns: string[]; values: string[] }
}

/** A Parquet file of the columns that the format promises, as the engine of the platform writes it. */
async function parquetOf(list: readonly FeedItem[]): Promise<Uint8Array> {
  const { sessions, close } = ownSessions()
  const columns = Object.entries(PARQUET_COLUMNS).map(([name, type]) => `${name} ${type}`)
  const rows = writtenOf(formatNamed('ndjson')!, list).bytes.toString()
  const quoted = [columns.join(), rows].map((text) => `'${text.replace(/[\\']/g, '\\$&')}'`)
  try {
    const sql = `SELECT * FROM format(JSONEachRow, ${quoted.join(', ')})`
    const settings = { date_time_input_format: 'best_effort', max_query_size: '10000000' }
    const asked = { sql, format: 'Parquet', database: 'default', settings, params: {}, lane: 'read' as const }
    return (await sessions.run(asked, new AbortController().signal)).bytes
  } finally {
    await close()
  }
}

let read: Read
let missing: string | null = null
let files: ReturnType<typeof feedFiles>
beforeAll(async () => {
  files = feedFiles(items)
  writeFileSync(files.path('addresses.json'), JSON.stringify(addresses))
  writeFileSync(files.path('parquet'), await parquetOf(inParquet))
  const reader = await orSkip(readFeeds(), (why) => {
    missing = why
    throw new Error(why)
  }).catch((error: Error) => {
    if (missing === null) throw error
    return null
  })
  if (reader !== null) read = (await reader(files.folder)) as Read
}, PREPARED_MS)
afterAll(() => files.remove())

test('dnspython reads the response policy zone', ({ skip }) => {
  if (missing !== null) return skip(missing)
  const names = highestNames(carried('rpz').map(({ value }) => value))
  expect(read.rpz.serial).toBe(FACTS.sequence)
  expect(read.rpz.names.map(([name]) => name).sort()).toEqual(names.flatMap((name) => [name, `*.${name}`]).sort())
  expect(new Set(read.rpz.names.map(([, target]) => target))).toEqual(new Set(['.']))
})

test('maxminddb finds each address with the narrowest network', ({ skip }) => {
  if (missing !== null) return skip(missing)
  const all = carried('mmdb')
  expect(read.mmdb.networks).toBeGreaterThan(1000)
  const wanted = addresses.map((address) => narrowest(all, address)!)
  const shown = wanted.map(({ entityId: id, reputation, accuracy, tags }) => ({ id, reputation, accuracy, tags }))
  expect(read.mmdb.found).toEqual(shown)
})

test('stix2 parses the bundle, makes the same ids, and the validator finds nothing', ({ skip }) => {
  if (missing !== null) return skip(missing)
  expect(read.stix).toMatchObject({ other_ids: [], duplicates: 0, refused: [] })
  expect(read.stix.objects).toBeGreaterThan(carried('stix').length)
})

test('PyMISP loads the event with each attribute', ({ skip }) => {
  if (missing !== null) return skip(missing)
  const wanted = carried('misp').map(({ value, reputation, tags }) => [value, reputation < 0, [...tags].sort()])
  expect(read.misp.attributes.map(([, ...rest]) => rest)).toEqual(wanted)
  expect([read.misp.info, read.misp.tags]).toEqual([FACTS.name, ['tlp:clear']])
})

test('str.splitlines of Python reads each value as a line', ({ skip }) => {
  if (missing !== null) return skip(missing)
  expect(read.text).toEqual(carried('text').map(({ value }) => value))
})

test('the json module of Python reads each line', ({ skip }) => {
  if (missing !== null) return skip(missing)
  const time = (at: number): string => new Date(at).toISOString()
  const wanted = carried('ndjson').map(({ entityId: id, firstSeen, lastSeen, ...rest }) => ({
    id,
    ...rest,
    firstSeen: time(firstSeen),
    lastSeen: time(lastSeen),
  }))
  expect(wanted.length).toBeGreaterThan(10_000)
  expect(read.ndjson).toEqual(wanted)
})

test('the csv module of Python reads each row', ({ skip }) => {
  if (missing !== null) return skip(missing)
  const rows = carried('csv')
  expect(read.csv.map(({ id }) => id)).toEqual(rows.map(({ entityId }) => entityId))
  const plain = (text: string): string => (/^'[\s']*[=+\-@]/.test(text) ? text.slice(1) : text)
  expect(read.csv.map(({ value }) => plain(value!))).toEqual(rows.map(({ value }) => value))
  expect(read.csv.map(({ tags }) => plain(tags!))).toEqual(rows.map(({ tags }) => tags.join(' ')))
})

test('pyarrow reads the columns of the Parquet file that the engine writes', ({ skip }) => {
  if (missing !== null) return skip(missing)
  expect(read.parquet.values).toEqual(inParquet.map(({ value }) => value))
  expect(read.parquet.columns).toMatchInlineSnapshot(`
    [
      "id string",
      "type string",
      "value string",
      "reputation int8",
      "accuracy uint8",
      "tags list<element: string not null>",
      "firstSeen timestamp[ms, tz=UTC]",
      "lastSeen timestamp[ms, tz=UTC]",
    ]
  `)
})
