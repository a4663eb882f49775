import { createServer } from 'node:net'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { feedClient } from '../../../../connectors/feed-client/feed-client.ts'
import { listServer } from '../../../builders/edge/list-server.ts'
import { freePort } from '../../../builders/network/free-port.ts'
import { during } from '../../../builders/suite/during.ts'

const FEED = '01a22c67-0000-7000-8000-000000000001'
const server = during(listServer)
const client = (silentMs?: number) =>
  feedClient(server.url, FEED, { key: 'k', secret: 's' }, silentMs === undefined ? {} : { silentMs })
const { signal } = new AbortController()

const delta = (seq: number, op: string, value: string, more: object = {}) => ({
  seq,
  op,
  id: 'x',
  type: 'domain',
  value,
  reputation: -3,
  accuracy: 2,
  tags: [],
  reason: 'aged',
  at: 'x',
  ...more,
})
const kept = (value: string) => ({ type: 'domain', value, reputation: -3, accuracy: 2, tags: [] })
const says = (body: unknown): void =>
  server.answer((res) => res.writeHead(200).end(typeof body === 'string' ? body : JSON.stringify(body)))
async function drained<T>(from: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const one of from) all.push(one)
  return all
}
const deltas = () => client().deltas('c7', 0, signal)

describe('deltas', () => {
  test('are changes in their order', async () => {
    const items = [delta(8, 'add', 'a.example'), delta(9, 'update', 'b.example'), delta(10, 'remove', 'c.example')]
    says({ items, cursor: 'c10', more: true })
    expect(await deltas()).toEqual({
      changes: [
        { item: kept('a.example'), gone: false },
        { item: kept('b.example'), gone: false },
        { item: kept('c.example'), gone: true },
      ],
      first: 8,
      last: 10,
      cursor: 'c10',
      more: true,
    })
  })

  test('may be none, and packed', async () => {
    server.answer((res) => {
      res.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('{"items":[],"cursor":"c7","more":false}'))
    })
    expect(await deltas()).toEqual({ changes: [], first: 0, last: 0, cursor: 'c7', more: false })
  })

  test('of a cursor that is too old are null', async () => {
    server.answer((res) => res.writeHead(410).end('{"error":{"code":"cursor_expired"}}'))
    expect(await deltas()).toBeNull()
  })

  test.each([
    ['a gap', { items: [delta(8, 'add', 'a'), delta(10, 'add', 'b')], cursor: 'c', more: false }],
    ['one twice', { items: [delta(8, 'add', 'a'), delta(8, 'add', 'a')], cursor: 'c', more: false }],
    ['a removal of nothing', { items: [{ seq: 8, op: 'remove', id: 'x' }], cursor: 'c', more: false }],
    ['null', { items: [null], cursor: 'c', more: false }],
    ['no cursor', { items: [], more: false }],
    ['no items', { cursor: 'c', more: false }],
    ['no JSON', '<html></html>'],
    ['half of it', '{"items":[],"cur'],
    ['nothing', ''],
  ])('with %s are none', async (_, body) => {
    says(body)
    await expect(deltas()).rejects.toMatchObject({ name: 'Away', againInMs: null })
  })
})

describe('a platform that', () => {
  const all = {
    whole: () => client().whole(signal),
    deltas,
    file: () => client().file('text', signal),
  }

  test.each([401, 403, 404])('answers %d refuses', async (status) => {
    server.answer((res) => res.writeHead(status, { 'retry-after': '5' }).end('no'))
    for (const ask of Object.values(all)) {
      const refused = expect(ask()).rejects
      await refused.toMatchObject({ name: 'Refused', message: expect.stringContaining(`answers ${status}`) })
    }
  })

  test.each<[number, string | undefined, number | null]>([
    [429, '7', 7_000],
    [503, '2', 2_000],
    [503, undefined, null],
    [503, 'Wed, 21 Oct 2026 07:28:00 GMT', null],
    [503, '-1', null],
    [500, '0', null],
    [302, undefined, null],
    [304, undefined, null],
    [204, undefined, null],
  ])('answers %d with retry-after %s is away', async (status, after, againInMs) => {
    server.answer((res) => res.writeHead(status, after === undefined ? {} : { 'retry-after': after }).end())
    for (const ask of Object.values(all)) await expect(ask()).rejects.toMatchObject({ name: 'Away', againInMs })
  })

  test('answers 410 to a question for a list is away', async () => {
    server.answer((res) => res.writeHead(410).end())
    await expect(all.whole()).rejects.toMatchObject({ name: 'Away' })
    await expect(all.file()).rejects.toMatchObject({ name: 'Away' })
  })

  test('is not there is away, and named', async () => {
    const nowhere = feedClient(new URL(`http://127.0.0.1:${await freePort()}`), FEED, { token: 't' })
    await expect(nowhere.whole(signal)).rejects.toMatchObject({
      name: 'Away',
      message: expect.stringContaining('http://127.0.0.1:'),
    })
  })

  test('speaks no HTTP is away', async () => {
    const other = createServer((socket) => socket.end('220 mail.example ESMTP\r\n'))
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    const { port } = other.address() as { port: number }
    const asked = feedClient(new URL(`http://127.0.0.1:${port}`), FEED, { token: 't' }).whole(signal)
    await expect(asked).rejects.toMatchObject({ name: 'Away' })
    other.close()
  })

  test('says nothing is away', async () => {
    server.answer(() => undefined)
    await expect(client(50).whole(signal)).rejects.toMatchObject({ name: 'Away', message: /no answer for 0.05 s/ })
  })

  test('falls silent in the middle is away', async () => {
    server.answer((res) => {
      res.writeHead(200, { 'x-feed-items': 1, 'x-feed-sequence': 1, 'x-feed-cursor': 'c' })
      res.write(`${JSON.stringify(delta(1, '', 'a.example'))}\n{"type"`)
    })
    const { portions } = await client(50).whole(signal)
    await expect(drained(portions)).rejects.toMatchObject({ name: 'Away' })
    await expect.poll(() => server.open()).toBe(0)
  })

  test('is not waited for once the edge ends', async () => {
    server.answer((res) => {
      res.writeHead(200, { 'x-feed-sequence': '1' })
      res.write('{')
    })
    for (const ask of [
      (stop: AbortSignal) => client().deltas('c', 30, stop),
      async (stop: AbortSignal) => drained((await client().file('text', stop)).bytes),
    ]) {
      const stop = new AbortController()
      setTimeout(() => stop.abort(new Error('over')), 20)
      await expect(ask(stop.signal)).rejects.toThrow('over')
    }
  })
})

test('a file is its bytes, packed on the way or not, with the sequence of its list', async () => {
  const bytes = Buffer.from([0, 255, 10, 13, 0xd0])
  for (const coding of [undefined, 'gzip']) {
    server.answer((res) => {
      res.writeHead(200, { 'x-feed-sequence': '9', ...(coding && { 'content-encoding': coding }) })
      res.end(coding ? gzipSync(bytes) : bytes)
    })
    const file = await client().file('mmdb', signal)
    expect([file.sequence, Buffer.concat(await drained(file.bytes))]).toEqual([9, bytes])
  }
})
