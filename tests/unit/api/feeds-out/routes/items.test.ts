import { randomUUID } from 'node:crypto'
import { request } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { gunzipSync, zstdDecompressSync } from 'node:zlib'
import { beforeEach, describe, expect, test } from 'vitest'
import { FORMATS } from '../../../../../schemas/feeds-out/formats/format-table.ts'
import { person } from '../../../../builders/accounts/people.ts'
import { feedItem } from '../../../../builders/api/feed-lists.ts'
import { feedsArea } from '../../../../builders/api/feeds-area.ts'
import { during } from '../../../../builders/suite/during.ts'

type Answered = { status: number; headers: Record<string, string>; body: Buffer }

const area = during(feedsArea)
let owner: Record<string, string>
let feed: string
beforeEach(async () => {
  // Whoever asks anew is not given what was remembered.
  area.clock.now += 10_000
  area.lists.setAway(false)
  owner = (await person(area.people.accounts, { roles: ['user'] })).headers
  feed = (await area.call(owner, 'POST', '/feeds', { name: 'one', selector: {} })).body.id
})

/** As it comes over the wire: `fetch` would unpack it. */
async function get(path: string, headers: Record<string, string> = owner, method = 'GET'): Promise<Answered> {
  return new Promise((resolve, reject) => {
    request(area.url + path, { method, headers }, (response) => {
      buffer(response).then(
        (body) => resolve({ status: response.statusCode!, headers: response.headers as Record<string, string>, body }),
        reject,
      )
    })
      .on('error', reject)
      .end()
  })
}

const items = (format = 'text', headers = owner) => get(`/feeds/${feed}/items.${format}`, headers)
const errorIn = ({ body }: Answered) => JSON.parse(body.toString()).error

describe('the list of a feed', () => {
  test('is the same with parameters that devices add against memories on the way', async () => {
    area.lists.make(feed, [feedItem('198.51.100.7')])
    const { headers } = await items()
    for (const query of ['?t=1', '?_=1795132800&nocache=1', '?1795132800', '?t=1&t=2']) {
      const answered = await get(`/feeds/${feed}/items.text${query}`)
      expect([answered.status, answered.headers.etag]).toEqual([200, headers.etag])
    }
    expect((await get(`/feeds/${feed}/delta?from=x&t=1`)).status).toBe(400)
  })

  test('says what it is, and stays the same file while nothing changes', async () => {
    area.lists.make(feed, [feedItem('198.51.100.7'), feedItem('a.example.com', 'domain')])
    const first = await items('palo-ip')
    expect([first.status, first.body.toString()]).toEqual([200, '198.51.100.7\n'])
    expect(first.headers).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'cache-control': 'private, no-cache',
      'x-feed-sequence': '0',
      'x-feed-items': '2',
      'x-feed-skipped': '1',
      'x-feed-generated-at': new Date(area.clock.now).toISOString(),
      'last-modified': new Date(area.clock.now).toUTCString(),
      'x-feed-cursor': expect.stringMatching(/^[\w-]{40,}$/),
      'content-disposition': `attachment; filename="palo-ip-${feed.slice(0, 8)}.txt"`,
    })
    expect(first.headers['x-feed-held']).toBeUndefined()
    area.clock.now += 60_000
    const reads = area.lists.reads()
    expect((await items('palo-ip')).headers).toMatchObject({
      etag: first.headers.etag,
      'last-modified': first.headers['last-modified'],
    })
    expect(area.lists.reads()).toBe(reads)
  })

  test('for a device that blocks has no name that the selector may have let in as well known', async () => {
    const names = [-1, 0, 1].map((reputation) => ({
      ...feedItem(`r${reputation + 1}.example.com`, 'domain'),
      reputation,
    }))
    for (const [mayHoldWellKnown, said, skipped] of [
      [false, ['r0', 'r1'], '1'],
      [true, ['r0'], '2'],
    ] as const) {
      const { id } = (await area.call(owner, 'POST', '/feeds', { name: 'x', selector: {} })).body
      area.lists.make(id, names, { mayHoldWellKnown })
      const { body, headers } = await get(`/feeds/${id}/items.hosts`)
      expect([body.toString(), headers['x-feed-skipped']]).toEqual([
        said.map((name) => `0.0.0.0 ${name}.example.com\n`).join(''),
        skipped,
      ])
    }
  })

  test('is made anew after a step, by one of many readers', async () => {
    area.lists.make(feed, [feedItem('198.51.100.7')])
    const { headers } = await items()
    area.lists.step(feed, 'add', feedItem('198.51.100.8'))
    area.clock.now += 2_000
    const reads = area.lists.reads()
    const all = await Promise.all(Array.from({ length: 20 }, () => items()))
    for (const { body, headers: after } of all) {
      expect(body.toString()).toBe('198.51.100.7\n198.51.100.8\n')
      expect(after['x-feed-sequence']).toBe('1')
      expect(after.etag).not.toBe(headers.etag)
    }
    expect(area.lists.reads()).toBe(reads + 1)
  })

  test('is written again by the store when it was made anew meanwhile, five times at most', async () => {
    area.lists.make(feed, [feedItem('198.51.100.7')])
    area.lists.replace(4)
    expect(await items('parquet')).toMatchObject({ status: 200, body: Buffer.from('PAR1') })
    area.lists.step(feed, 'add', feedItem('198.51.100.8'))
    area.clock.now += 2_000
    area.lists.replace(5)
    expect((await items('parquet')).status).toBe(500)
    expect((await items('parquet')).status).toBe(200)
  })

  test('is answered with 304, parts and nothing by the conditions of the request', async () => {
    area.lists.make(feed, [feedItem('198.51.100.7')])
    const { headers } = await items()
    const { etag, 'last-modified': modified } = headers as { etag: string; 'last-modified': string }
    const asked = (given: Record<string, string>) => items('text', { ...owner, ...given })
    for (const condition of [
      { 'if-none-match': etag },
      { 'if-none-match': `"x", ${etag}` },
      { 'if-modified-since': modified },
    ]) {
      const same = await asked(condition as Record<string, string>)
      expect([same.status, same.body.length, same.headers.etag]).toEqual([304, 0, etag])
      expect(same.headers['x-feed-sequence']).toBe('0')
    }
    expect((await asked({ 'if-none-match': '"other"' })).status).toBe(200)
    expect((await asked({ 'if-match': '"other"' })).status).toBe(412)
    const part = await asked({ range: 'bytes=3-5' })
    expect([part.status, part.body.toString(), part.headers['content-range']]).toEqual([206, '.51', 'bytes 3-5/13'])
    expect((await asked({ range: 'bytes=-4' })).body.toString()).toBe('0.7\n')
    expect((await asked({ range: 'bytes=3-5', 'if-range': '"other"' })).body.toString()).toBe('198.51.100.7\n')
    // By RFC 9110: a suffix of more than the file is all of it, a range that ends before it begins is none.
    const suffix = await asked({ range: 'bytes=-100' })
    expect([suffix.status, suffix.body.toString()]).toEqual([206, '198.51.100.7\n'])
    expect((await asked({ range: 'bytes=5-4' })).status).toBe(200)
    expect((await asked({ range: 'bytes=3-5', 'if-range': etag })).status).toBe(206)
    expect((await asked({ range: 'bytes=3-5', 'if-range': `W/${etag}` })).status).toBe(200)
    expect((await asked({ 'if-match': etag })).status).toBe(200)
    expect((await asked({ 'if-match': `W/${etag}` })).status).toBe(412)
    const none = await asked({ range: 'bytes=100-' })
    expect([none.status, none.headers['content-range'], errorIn(none).code]).toEqual([
      416,
      'bytes */13',
      'range_not_satisfiable',
    ])
    const head = await get(`/feeds/${feed}/items.text`, owner, 'HEAD')
    expect([head.status, head.body.length, head.headers['content-length'], head.headers.etag]).toEqual([
      200,
      0,
      '13',
      etag,
    ])
  })

  test('is answered with 304 to whoever has it, by the rights, the list and the conditions of that request', async () => {
    area.lists.make(feed, [feedItem('198.51.100.7')])
    const { headers } = await items('csv', { ...owner, 'accept-encoding': 'gzip' })
    const has = { 'if-none-match': headers.etag!, 'accept-encoding': 'gzip' }
    const same = await items('csv', { ...owner, ...has })
    expect([same.status, same.headers.etag, same.headers['content-encoding'], same.headers['content-type']]).toEqual([
      304,
      headers.etag,
      undefined,
      undefined,
    ])
    for (const name of [
      'cache-control',
      'vary',
      'x-feed-sequence',
      'x-feed-cursor',
      'last-modified',
      'ratelimit-limit',
    ])
      expect([name, same.headers[name]]).toEqual([name, headers[name]])
    expect((await items('csv', { ...owner, ...has, 'if-match': '"other"' })).status).toBe(412)
    expect((await items('csv', { ...owner, ...has, 'cache-control': 'no-cache' })).status).toBe(200)
    const stranger = (await person(area.people.accounts, { roles: ['user'] })).headers
    const refused = await items('csv', { ...stranger, ...has })
    expect([refused.status, refused.headers.etag]).toEqual([404, undefined])
    area.lists.step(feed, 'add', feedItem('198.51.100.8'))
    area.clock.now += 2_000
    expect((await items('csv', { ...owner, ...has })).status).toBe(200)
    expect((await area.call(owner, 'DELETE', `/feeds/${feed}`)).status).toBe(204)
    expect((await items('csv', { ...owner, ...has })).status).toBe(404)
  })

  test('comes packed to whoever asks, each coding with an ETag of its own', async () => {
    area.lists.make(feed, [feedItem('198.51.100.7')])
    const [plain, gzip, zstd] = await Promise.all(
      ['identity', 'gzip', 'zstd, gzip'].map((coding) => items('text', { ...owner, 'accept-encoding': coding })),
    )
    expect(plain!.headers['content-encoding']).toBeUndefined()
    expect(gzip!.headers['content-encoding']).toBe('gzip')
    expect(gunzipSync(gzip!.body)).toEqual(plain!.body)
    expect(zstd!.headers['content-encoding']).toBe('zstd')
    expect(zstdDecompressSync(zstd!.body)).toEqual(plain!.body)
    expect(new Set([plain, gzip, zstd].map((one) => one!.headers.etag)).size).toBe(3)
    for (const one of [plain, gzip, zstd]) expect(one!.headers.vary).toContain('accept-encoding')
    const again = await items('text', { ...owner, 'accept-encoding': 'gzip', 'if-none-match': gzip!.headers.etag! })
    expect(again.status).toBe(304)
  })

  test('is there in every format', async () => {
    area.lists.make(feed, [feedItem('198.51.100.7')])
    for (const { name, mediaType } of FORMATS) {
      const { status, headers } = await items(name)
      expect([name, status, headers['content-type']]).toEqual([name, 200, mediaType])
    }
    const unknown = await items('xls')
    expect([unknown.status, errorIn(unknown).code]).toEqual([404, 'not_found'])
    for (const { name } of FORMATS) expect(errorIn(unknown).message).toContain(name)
  })

  test('that is being made is 503, and no error of ours', async () => {
    const before = area.lines.length
    const building = await items()
    expect([building.status, errorIn(building).code, building.headers['retry-after']]).toEqual([503, 'building', '2'])
    expect(area.lines.slice(before).join('')).not.toContain('"level":50')
    area.lists.make(feed)
    const empty = await items()
    expect([empty.status, empty.body.length, empty.headers['x-feed-items']]).toEqual([200, 0, '0'])
  })

  test('says that it is held', async () => {
    area.lists.make(feed, [feedItem('198.51.100.7')])
    area.lists.hold(feed, true)
    expect((await items()).headers['x-feed-held']).toBe('true')
  })

  test('is the last one with its age while the store of lists is away, and never an empty one', async () => {
    area.lists.make(feed, [feedItem('198.51.100.7')])
    await items()
    area.clock.now += 90_000
    area.lists.setAway(true)
    const old = await items()
    expect([old.status, old.body.toString(), old.headers.age]).toEqual([200, '198.51.100.7\n', '90'])
    const none = await items('csv')
    expect([none.status, errorIn(none).code]).toEqual([500, 'store_unavailable'])
  })

  test('is nobody else’s', async () => {
    area.lists.make(feed, [feedItem('198.51.100.7')])
    const stranger = (await person(area.people.accounts, { roles: ['user'] })).headers
    for (const path of [`/feeds/${feed}/items.text`, `/feeds/${feed}/delta?from=x`]) {
      expect((await get(path, stranger)).status).toBe(404)
      const unknown = path.replace(feed, randomUUID())
      expect((await get(unknown, stranger)).status).toBe(404)
      const [asked, none] = [await get(path, {}), await get(unknown, {})]
      // Devices send their credentials after a challenge; it does not say whether there is such a feed.
      for (const { status, headers } of [asked, none])
        expect([status, headers['www-authenticate']]).toEqual([401, 'Basic realm="feeds", charset="UTF-8", Bearer'])
      expect({ ...errorIn(asked), error_id: '' }).toEqual({ ...errorIn(none), error_id: '' })
      expect(Object.keys(asked.headers)).toEqual(Object.keys(none.headers))
    }
    await items()
    expect(await area.files.find(feed, 'text')).not.toBeNull()
    expect((await area.call(owner, 'DELETE', `/feeds/${feed}`)).status).toBe(204)
    expect((await items()).status).toBe(404)
    expect(await area.files.find(feed, 'text')).toBeNull()
  })
})

describe('a device', () => {
  const basic = (token: string) => ({ authorization: `Basic ${btoa(`anyone:${token}`)}` })

  test('reads items and deltas of its feed with its token, in the path and as a password, until it is revoked', async () => {
    area.lists.make(feed, [feedItem('198.51.100.7')])
    const { token, tokenID } = (await area.call(owner, 'POST', `/feeds/${feed}/tokens`, { name: 'fw', days: 1 })).body
    const other = (await area.call(owner, 'POST', '/feeds', { name: 'two', selector: {} })).body.id
    const inPath = await get(`/t/${token}/items.text`, {})
    const asPassword = await items('text', basic(token))
    expect([inPath.body.toString(), asPassword.body.toString()]).toEqual(['198.51.100.7\n', '198.51.100.7\n'])
    expect(inPath.headers.etag).toBe(asPassword.headers.etag)
    // It goes on from the cursor of its owner.
    const { 'x-feed-cursor': cursor } = (await items()).headers
    area.lists.step(feed, 'remove', feedItem('198.51.100.7'))
    for (const [path, headers] of [
      [`/t/${token}/delta?from=${cursor}`, {}],
      [`/feeds/${feed}/delta?from=${cursor}`, basic(token)],
    ] as const) {
      const page = await get(path, headers)
      expect(JSON.parse(page.body.toString()).items).toMatchObject([{ seq: 1, op: 'remove', value: '198.51.100.7' }])
    }
    expect((await get(`/feeds/${other}/items.text`, basic(token))).status).toBe(404)
    expect((await area.call(owner, 'DELETE', `/feeds/${feed}/tokens/${tokenID}`)).status).toBe(204)
    const ended = await get(`/t/${token}/items.text`, {})
    expect([ended.status, ended.headers['www-authenticate']]).toEqual([401, expect.stringContaining('Basic')])
  })
})

describe('deltas', () => {
  const cursorOf = async (): Promise<string> => (await items()).headers['x-feed-cursor']!
  const delta = (query: string, headers = owner) => get(`/feeds/${feed}/delta${query}`, headers)

  test('are read page by page', async () => {
    area.lists.make(feed)
    let cursor = await cursorOf()
    for (let i = 1; i <= 5; i++) area.lists.step(feed, 'add', feedItem(`198.51.100.${i}`))
    const seen: number[] = []
    for (let more = true; more; ) {
      const page = JSON.parse((await delta(`?from=${cursor}&limit=2`)).body.toString())
      expect(page.items.length).toBeLessThanOrEqual(2)
      seen.push(...page.items.map(({ seq }: { seq: number }) => seq))
      cursor = page.cursor
      more = page.more
    }
    expect(seen).toEqual([1, 2, 3, 4, 5])
    const end = JSON.parse((await delta(`?from=${cursor}`)).body.toString())
    expect(end).toEqual({ items: [], cursor, more: false })
  })

  test('show all fields, as JSON or as lines', async () => {
    area.lists.make(feed)
    const from = await cursorOf()
    area.lists.step(feed, 'add', feedItem('198.51.100.7'))
    const shown = {
      seq: 1,
      op: 'add',
      id: 'ip-198.51.100.7',
      type: 'ip',
      value: '198.51.100.7',
      reputation: -3,
      accuracy: 2,
      tags: ['c2'],
      reason: 'reported',
      at: new Date(3_000).toISOString(),
    }
    const page = await delta(`?from=${from}`)
    const { items: all, cursor, more } = JSON.parse(page.body.toString())
    expect([all, more]).toEqual([[shown], false])
    const lines = await delta(`?from=${from}`, { ...owner, accept: 'application/x-ndjson' })
    expect(lines.body.toString()).toBe(`${JSON.stringify(shown)}\n`)
    expect(lines.headers).toMatchObject({
      'content-type': 'application/x-ndjson',
      'x-feed-cursor': cursor,
      'x-feed-more': 'false',
    })
  })

  test('that came last are shown to people, newest first', async () => {
    const latest = (query = '') => get(`/feeds/${feed}/delta/latest${query}`)
    expect((await latest()).status).toBe(503)
    area.lists.make(feed)
    for (let i = 1; i <= 5; i++) area.lists.step(feed, 'add', feedItem(`198.51.100.${i}`))
    const seen = async (query?: string) =>
      JSON.parse((await latest(query)).body.toString()).items.map(({ seq }: { seq: number }) => seq)
    expect(await seen()).toEqual([5, 4, 3, 2, 1])
    expect(await seen('?limit=2')).toEqual([5, 4])
    expect((await latest('?limit=0')).status).toBe(400)
    expect((await get(`/feeds/${feed}/delta/latest`, {})).status).toBe(404)
  })

  test('are waited for', async () => {
    area.lists.make(feed)
    const from = await cursorOf()
    setTimeout(() => area.lists.step(feed, 'add', feedItem('198.51.100.7')), 100)
    const page = await delta(`?from=${from}&wait=20`)
    expect(JSON.parse(page.body.toString()).items).toHaveLength(1)
  })

  test('are refused without a cursor, with one of another feed, and for bad numbers', async () => {
    area.lists.make(feed)
    const from = await cursorOf()
    const without = await delta('')
    expect([without.status, errorIn(without).param]).toEqual([400, 'from'])
    expect(errorIn(without).message).toContain(`/feeds/${feed}/items`)
    const other = (await area.call(owner, 'POST', '/feeds', { name: 'two', selector: {} })).body.id
    area.lists.make(other)
    const foreign = await get(`/feeds/${other}/delta?from=${from}`)
    expect([foreign.status, errorIn(foreign).code, errorIn(foreign).param]).toEqual([400, 'bad_cursor', 'from'])
    expect((await delta(`?from=${from.slice(0, -1)}x`)).status).toBe(400)
    for (const [name, value] of [
      ['limit', 0],
      ['limit', 10_001],
      ['wait', 31],
      ['wait', -1],
      ['form', 1],
    ]) {
      const refused = await delta(`?from=${from}&${name}=${value}`)
      expect([refused.status, errorIn(refused).param]).toEqual([400, name])
    }
  })

  test('from before what is kept are 410, which says how to go on', async () => {
    area.lists.make(feed)
    const from = await cursorOf()
    area.lists.step(feed, 'add', feedItem('198.51.100.7'))
    area.lists.forget(feed, 1)
    const expired = await delta(`?from=${from}`)
    expect([expired.status, errorIn(expired).code]).toEqual([410, 'cursor_expired'])
    expect(errorIn(expired).message).toContain(`/feeds/${feed}/items`)
  })

  test('of a feed without a list are 503', async () => {
    area.lists.make(feed)
    const from = await cursorOf()
    const other = (await area.call(owner, 'POST', '/feeds', { name: 'two', selector: {} })).body.id
    expect((await get(`/feeds/${other}/delta?from=${from}`)).status).toBe(400)
    expect((await get(`/feeds/${other}/items.text`)).status).toBe(503)
  })
})
