import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import type { EdgeItem } from '../../../../connectors/edge-list/port.ts'
import { feedClient } from '../../../../connectors/feed-client/feed-client.ts'
import { listServer } from '../../../builders/edge/list-server.ts'
import { during } from '../../../builders/suite/during.ts'

const FEED = '01a22c67-0000-7000-8000-000000000001'
const BASE = `/api/feeds/v1/feeds/${FEED}`
const server = during(listServer)
const client = () => feedClient(server.url, FEED, { key: 'k', secret: 's' })
const { signal } = new AbortController()

const HEADERS = { 'x-feed-items': '3', 'x-feed-sequence': '7', 'x-feed-cursor': 'c7' }
const item = (value: string, more: object = {}) => ({
  id: `domain--${value}`,
  type: 'domain',
  value,
  reputation: -3,
  accuracy: 2,
  tags: ['я'],
  firstSeen: 'x',
  ...more,
})
const LINES = ['a.example', 'b.example', 'c.example'].map((value) => `${JSON.stringify(item(value))}\n`).join('')
const KEPT = ['a.example', 'b.example', 'c.example'].map((value) => ({
  type: 'domain',
  value,
  reputation: -3,
  accuracy: 2,
  tags: ['я'],
}))

async function whole(): Promise<EdgeItem[]> {
  const { portions } = await client().whole(signal)
  const all: EdgeItem[] = []
  for await (const portion of portions) all.push(...portion)
  return all
}

describe('who reads', () => {
  test('shows a key pair in its headers', async () => {
    server.answer((res) => res.writeHead(200, HEADERS).end())
    await client().whole(signal)
    expect(server.asked[0]!.headers).toMatchObject({ 'api-key': 'k', 'api-secret': 's', 'accept-encoding': 'gzip' })
    expect(server.asked[0]!.headers.authorization).toBeUndefined()
  })

  test('shows a download token as the password of Basic', async () => {
    server.answer((res) => res.writeHead(200, HEADERS).end())
    await feedClient(server.url, FEED, { token: 'hft_x:y' }).whole(signal)
    const [, basic] = server.asked[0]!.headers.authorization!.split(' ')
    expect(Buffer.from(basic!, 'base64').toString()).toBe('edge:hft_x:y')
    expect(server.asked[0]!.headers['api-key']).toBeUndefined()
  })

  test('asks for the routes of one feed, below the path of the platform', async () => {
    server.answer((res) => res.writeHead(404).end())
    for (const at of ['/harrier', '/harrier/']) {
      const below = feedClient(new URL(at, server.url), FEED, { token: 't' })
      await below.whole(signal).catch(() => undefined)
      await below.deltas('a+b&c', 30, signal).catch(() => undefined)
      await below.file('text', signal).catch(() => undefined)
    }
    const one = ['items.ndjson', 'delta?from=a%2Bb%26c&limit=10000&wait=30', 'items.text']
    expect(server.asked.map(({ url }) => url)).toEqual([...one, ...one].map((path) => `/harrier${BASE}/${path}`))
  })
})

describe('a whole list', () => {
  test('has its place from the headers, and of each item what is kept', async () => {
    server.answer((res) => res.writeHead(200, HEADERS).end(LINES))
    const { items, sequence, cursor } = await client().whole(signal)
    expect({ items, sequence, cursor }).toEqual({ items: 3, sequence: 7, cursor: 'c7' })
    expect(await whole()).toEqual(KEPT)
  })

  test('may be packed', async () => {
    server.answer((res) => res.writeHead(200, { ...HEADERS, 'content-encoding': 'gzip' }).end(gzipSync(LINES)))
    expect(await whole()).toEqual(KEPT)
  })

  test.each([1, 2, 7, 64])('comes in pieces of %d bytes, also within a character', async (size) => {
    server.answer(async (res) => {
      res.writeHead(200, HEADERS)
      const bytes = Buffer.from(LINES)
      for (let at = 0; at < bytes.length; at += size) {
        res.write(bytes.subarray(at, at + size))
        await new Promise((resolve) => setImmediate(resolve))
      }
      res.end()
    })
    expect(await whole()).toEqual(KEPT)
  })

  test('of many items comes in portions, in order', async () => {
    const values = Array.from({ length: 12_345 }, (_, i) => `n${i}.example`)
    server.answer((res) => res.writeHead(200, HEADERS).end(values.map((v) => `${JSON.stringify(item(v))}\n`).join('')))
    const { portions } = await client().whole(signal)
    const sizes: number[] = []
    const seen: string[] = []
    for await (const portion of portions) {
      sizes.push(portion.length)
      seen.push(...portion.map(({ value }) => value))
    }
    expect(sizes).toEqual([5_000, 5_000, 2_345])
    expect(seen).toEqual(values)
  })

  test('may be empty, and blank lines are none', async () => {
    server.answer((res) => res.writeHead(200, HEADERS).end('\n\n'))
    expect(await whole()).toEqual([])
  })

  test.each([
    ['within a line', LINES.slice(0, -5)],
    ['before the end of its last line', LINES.slice(0, -1)],
    ['with a line that is not JSON', `${LINES}{"type":\n`],
    ['with a line that is no item', `${LINES}[]\n`],
    ['with null', `${LINES}null\n`],
    ['with a page of a login', '<html>\n<body>please sign in</body>\n'],
    ['with a reputation that is none', `${JSON.stringify(item('x.example', { reputation: '-3' }))}\n`],
    ['without a value', `${JSON.stringify(item('x.example', { value: undefined }))}\n`],
    ['with tags that are none', `${JSON.stringify(item('x.example', { tags: [1] }))}\n`],
  ])('cut %s is none', async (_, text) => {
    server.answer((res) => res.writeHead(200, HEADERS).end(text))
    await expect(whole()).rejects.toMatchObject({ name: 'Away' })
  })

  test.each(['', 'gzip'])('whose connection ends early is none (%s)', async (coding) => {
    const bytes = coding === '' ? Buffer.from(LINES) : gzipSync(LINES)
    server.answer((res) => {
      const length = { 'content-length': bytes.length + (coding === '' ? 10 : 0) }
      res.writeHead(200, { ...HEADERS, ...length, ...(coding && { 'content-encoding': coding }) })
      res.write(coding === '' ? bytes : bytes.subarray(0, -20), () => res.destroy())
    })
    await expect(whole()).rejects.toMatchObject({ name: 'Away' })
  })

  test('in chunks without the last one is none', async () => {
    server.answer((res) => {
      res.writeHead(200, HEADERS)
      res.write(LINES, () => res.destroy())
    })
    await expect(whole()).rejects.toMatchObject({ name: 'Away' })
  })

  test('packed and cut, or not packed at all, is none', async () => {
    for (const bytes of [gzipSync(LINES).subarray(0, -9), Buffer.from(LINES)]) {
      server.answer((res) => res.writeHead(200, { ...HEADERS, 'content-encoding': 'gzip' }).end(bytes))
      await expect(whole()).rejects.toMatchObject({ name: 'Away' })
    }
  })

  test.each(Object.keys(HEADERS))('without %s is none, and its connection is not kept', async (name) => {
    server.answer((res) => {
      res.writeHead(200, { ...HEADERS, [name]: '' })
      res.write(LINES)
      res.once('close', () => closed++)
    })
    let closed = 0
    await expect(client().whole(signal)).rejects.toThrow(`without ${name}`)
    await expect.poll(() => closed).toBe(1)
  })

  test.each(['-1', '1e3', '0x10', '1.5', ' ', 'NaN', '9'.repeat(30)])('with %j as a number is none', async (text) => {
    server.answer((res) => res.writeHead(200, { ...HEADERS, 'x-feed-items': text }).end())
    await expect(client().whole(signal)).rejects.toMatchObject({ name: 'Away' })
  })
})
