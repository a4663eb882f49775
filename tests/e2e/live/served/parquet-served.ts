import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { sendBulk } from '../../../builders/api/bulk-platform.ts'
import { HOSTILE_TAGS, HOSTILE_VALUES } from '../../../builders/feeds/hostile-items.ts'
import { lag } from '../../../builders/platform/lag.ts'
import { ADMINISTRATOR, eventually } from '../../../builders/platform/platform.ts'
import type { Shared } from '../../../builders/platform/shared.ts'
import { ended } from '../../../clients/device.ts'
import { orSkip, type ParquetTable, readParquet } from '../../../clients/prepare.ts'

const LONG_MS = 300_000
/** Values of these types are free texts, or have a form of their own; what cannot be reported is refused. */
const TYPES = ['filename', 'username', 'url', 'domain', 'ip']
/** Fewer would mean that the platform refuses what it is to be tested with. */
const LEAST = 100

/** The Parquet file of a feed as the platform serves it, with hostile values, as pyarrow reads it (decisions 11.6). */
export function parquetServed(shared: Shared): void {
  const { folder, platform } = shared
  /** Of a feed of everything, and of one that nothing is in. */
  let full: string
  let empty: string
  let token: string

  beforeAll(async () => {
    const reports = TYPES.flatMap((type) => HOSTILE_VALUES.map((value) => ({ type, value })))
    const bodies = reports.map(({ type, value }, n) => ({
      type,
      attributes: { [type]: value },
      reputation: (n % 7) - 3,
      tags: HOSTILE_TAGS[n % HOSTILE_TAGS.length]!,
    }))
    // In one request: each of many is a batch for all jobs behind the log.
    const { lines } = await sendBulk(platform.url, bodies.map((body) => JSON.stringify(body)).join('\n'), ADMINISTRATOR)
    expect(new Set(lines.slice(0, -1).map(({ error }) => error?.code))).toEqual(
      new Set([undefined, 'invalid_parameter']),
    )
    await eventually(
      () => lag(platform.url),
      (left) => left === 0,
    )
    const made = (name: string, selector: object) =>
      platform.ask('/api/feeds/v1/feeds', { name, selector, guard: null }).then(({ body }) => body.id as string)
    ;[full, empty] = await Promise.all([made('all', {}), made('none', { tags: { all: ['nobody has this tag'] } })])
    token = (await platform.ask(`/api/feeds/v1/feeds/${full}/tokens`, { name: 'curl', days: 1 })).body.token
    for (const feed of [full, empty])
      await eventually(
        () => platform.ask(`/api/feeds/v1/feeds/${feed}`),
        ({ body }) => body.state === 'live',
      )
  }, LONG_MS)

  /** The list as the route answers a caller of the API, as it is. */
  async function served(feed: string, format: string): Promise<Buffer> {
    const headers = { ...ADMINISTRATOR, 'accept-encoding': 'identity' }
    const response = await fetch(`${platform.url}/api/feeds/v1/feeds/${feed}/items.${format}`, { headers })
    expect([response.status, response.headers.get('content-encoding')]).toEqual([200, null])
    return Buffer.from(await response.arrayBuffer())
  }

  async function listed(feed: string): Promise<Record<string, unknown>[]> {
    const lines = (await served(feed, 'ndjson')).toString().split('\n').filter(Boolean)
    return lines.map((line) => {
      const { firstSeen, lastSeen, ...item } = JSON.parse(line)
      return { ...item, firstSeen: Date.parse(firstSeen), lastSeen: Date.parse(lastSeen) }
    })
  }

  test(
    'pyarrow reads each item as the list of lines has it, from the API and through curl; an empty list too',
    async ({ skip }) => {
      const read = await orSkip(readParquet(), skip)
      const file = (name: string): string => join(folder, name)
      writeFileSync(file('api'), await served(full, 'parquet'))
      const url = `${platform.url}/api/feeds/v1/t/${token}/items.parquet`
      const { ok, out } = await ended('curl', ['-sS', '--fail', '--compressed', '--output', file('curl'), url])
      expect([ok, out]).toEqual([true, ''])
      writeFileSync(file('empty'), await served(empty, 'parquet'))
      expect(readFileSync(file('curl')).equals(readFileSync(file('api')))).toBe(true)

      const [ofApi, ofCurl, none] = (await read(file('api'), file('curl'), file('empty'))) as [
        ParquetTable,
        ParquetTable,
        ParquetTable,
      ]
      const items = await listed(full)
      expect(items.length).toBeGreaterThan(LEAST)
      expect(new Set(items.map(({ reputation }) => reputation)).size).toBeGreaterThan(4)
      expect(ofApi.rows).toEqual(items)
      expect(ofCurl).toEqual(ofApi)
      expect(ofApi.columns).toEqual([
        'id string',
        'type string',
        'value string',
        'reputation int8',
        'accuracy uint8',
        'tags list<element: string not null>',
        'firstSeen timestamp[ms, tz=UTC]',
        'lastSeen timestamp[ms, tz=UTC]',
      ])
      expect([await listed(empty), none]).toEqual([[], { columns: ofApi.columns, rows: [] }])
    },
    LONG_MS,
  )
}
