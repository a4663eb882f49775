import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { afterEach, describe, expect, test } from 'vitest'
import { type Reader, reader } from '../../../../../connectors/history/wire/reader.ts'
import { CERTIFICATE, KEY } from '../../../../builders/network/certificate.ts'

type Seen = { url: URL; headers: IncomingMessage['headers']; body: string }

const opened: { close(): void }[] = []
afterEach(() => {
  for (const one of opened.splice(0)) one.close()
})

const readerOf = (url: string, longestMs = 5_000): Reader =>
  reader({
    url,
    username: 'harrier',
    password: 'pass:wörd',
    database: 'mine',
    settings: { max_execution_time: '5' },
    connections: 2,
    idleMs: 100,
    longestMs,
  })

/** A server that answers as told, a reader of it, and what it was asked. */
async function served(answer: (res: ServerResponse, seen: Seen) => void, longestMs?: number) {
  const asked: Seen[] = []
  let sockets = 0
  const server = createServer(async (req, res) => {
    const chunks: Buffer[] = []
    for await (const chunk of req) chunks.push(chunk)
    const seen = {
      url: new URL(req.url!, 'http://store'),
      headers: req.headers,
      body: Buffer.concat(chunks).toString(),
    }
    asked.push(seen)
    answer(res, seen)
  })
  server.on('connection', () => sockets++)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/behind`
  const reads = readerOf(url, longestMs)
  const close = (): void => {
    reads.close()
    server.closeAllConnections()
    server.close()
  }
  opened.push({ close })
  return { reads, asked, sockets: () => sockets }
}

describe('reads over HTTP', () => {
  test('name the user, the database, the settings and the parameters', async () => {
    const { reads, asked } = await served((res) => res.end('[1]'))
    expect(await reads.read('SELECT {a:String}', { a: 'x & y', list: ['1'] })).toBe('[1]')
    const [{ url, headers, body }] = asked as [Seen]
    expect(url.pathname).toBe('/behind')
    expect(headers['user-agent']).toBe('harrier')
    expect(Object.fromEntries(url.searchParams)).toEqual({
      max_execution_time: '5',
      database: 'mine',
      default_format: 'JSONEachRow',
      param_a: 'x & y',
      param_list: "['1']",
    })
    expect(Buffer.from(headers.authorization!.split(' ')[1]!, 'base64').toString()).toBe('harrier:pass:wörd')
    expect(body).toBe('SELECT {a:String}')
  })

  test('ask for half a surrogate pair, which nothing has', async () => {
    const { reads, asked } = await served((res) => res.end('[]'))
    expect(await reads.read('SELECT {a:String}', { a: '\ud83d' })).toBe('[]')
    expect(asked[0]!.url.searchParams.get('param_a')).toBe('\ufffd')
  })

  test('send long parameters as a form', async () => {
    const { reads, asked } = await served((res) => res.end())
    const values = Array.from({ length: 2_000 }, (_, i) => `värde ${i}`)
    expect(await reads.read('SELECT {values:Array(String)}', { values })).toBe('')
    const [{ url, headers, body }] = asked as [Seen]
    expect(url.searchParams.get('param_values')).toBeNull()
    const form = await new Response(body, { headers: { 'content-type': headers['content-type']! } }).formData()
    expect(form.get('query')).toBe('SELECT {values:Array(String)}')
    expect(form.get('param_values')).toBe(`[${values.map((value) => `'${value}'`).join()}]`)
  })

  test('keep a connection, and leave one that is idle', async () => {
    const { reads, sockets } = await served((res) => res.end())
    for (let i = 0; i < 3; i++) await reads.read('SELECT 1', {})
    expect(sockets()).toBe(1)
    await sleep(300)
    await reads.read('SELECT 1', {})
    expect(sockets()).toBe(2)
  })

  test('wait for a slow answer longer than a connection is kept unused', async () => {
    const { reads } = await served((res) => setTimeout(() => res.end('[]'), 300))
    expect(await reads.read('SELECT sleep(1)', {})).toBe('[]')
  })

  test('open so many connections at most', async () => {
    const { reads, sockets } = await served((res) => setTimeout(() => res.end(), 20))
    await Promise.all(Array.from({ length: 6 }, () => reads.read('SELECT 1', {})))
    expect(sockets()).toBe(2)
  })

  test.each([
    [
      'by the header',
      { 'x-clickhouse-exception-code': '60' },
      'Code: 60. DB::Exception: no such table. (UNKNOWN_TABLE)',
    ],
    [
      'of the innermost server',
      {},
      'Code: 60. DB::Exception: on [host:9000]: Code: 60. DB::Exception: no such table. (UNKNOWN_TABLE) (version 1). (UNKNOWN_TABLE)',
    ],
  ])('pass the error of the store on: %s', async (_, headers, text) => {
    const { reads } = await served((res) => res.writeHead(404, headers).end(text))
    await expect(reads.read('SELECT 1', {})).rejects.toMatchObject({
      name: 'Error',
      code: '60',
      type: 'UNKNOWN_TABLE',
      message: 'no such table. ',
    })
  })

  test('say what anything else answered', async () => {
    const { reads } = await served((res) => res.writeHead(502).end('bad gateway'))
    await expect(reads.read('SELECT 1', {})).rejects.toThrow('the history store answered with status 502: bad gateway')
  })

  test('come as they are sent, with the settings of their own', async () => {
    const first = Promise.withResolvers<void>()
    const { reads, asked } = await served(async (res) => {
      res.write('[1]\n')
      await first.promise
      res.end('[2]\n')
    })
    const pieces: string[] = []
    const how = { format: 'JSONCompactEachRow', settings: { max_execution_time: '600' } }
    for await (const piece of await reads.stream('SELECT 1', { a: 1 }, how)) {
      pieces.push(Buffer.from(piece).toString())
      first.resolve()
    }
    expect(pieces).toEqual(['[1]\n', '[2]\n'])
    expect(Object.fromEntries(asked[0]!.url.searchParams)).toEqual({
      max_execution_time: '600',
      wait_end_of_query: '0',
      database: 'mine',
      default_format: 'JSONCompactEachRow',
      param_a: '1',
    })
  })

  test('that come as they are sent end with an error when the store is cut off, and with its own before that', async () => {
    const how = { format: 'JSONCompactEachRow', settings: {} }
    const cut = await served((res) => {
      res.write('[1]\n')
      setTimeout(() => res.destroy(), 20)
    })
    const all = async (): Promise<void> => {
      for await (const _ of await cut.reads.stream('SELECT 1', {}, how));
    }
    await expect(all()).rejects.toThrow()
    const refused = await served((res) =>
      res.writeHead(404).end('Code: 60. DB::Exception: no such table. (UNKNOWN_TABLE)'),
    )
    await expect(refused.reads.stream('SELECT 1', {}, how)).rejects.toMatchObject({ type: 'UNKNOWN_TABLE' })
  })

  test('end with the reason of the signal, before the answer and within it', async () => {
    const { reads } = await served((res, { body }) => (body === 'half' ? res.write('[') : undefined))
    for (const sql of ['nothing', 'half']) {
      const abort = new AbortController()
      const reading = reads.read(sql, {}, abort.signal)
      setTimeout(() => abort.abort(new Error('enough')), 50)
      await expect(reading).rejects.toThrow('enough')
    }
  })

  test('end after the longest time, and when the connection breaks', async () => {
    const late = await served(() => undefined, 50)
    await expect(late.reads.read('SELECT 1', {})).rejects.toThrow('the history store did not answer within 50 ms')
    const broken = await served((res) => res.destroy())
    await expect(broken.reads.read('SELECT 1', {})).rejects.toMatchObject({ code: 'ECONNRESET' })
    const half = await served((res) => {
      res.write('[')
      setTimeout(() => res.destroy(), 20)
    })
    await expect(half.reads.read('SELECT 1', {})).rejects.toMatchObject({ code: 'ECONNRESET' })
  })

  test('over TLS are sent to a server of the right name that is trusted, and to no other', async () => {
    let requests = 0
    const server = createTlsServer({ cert: CERTIFICATE, key: KEY }, (_, res) => {
      requests++
      res.end()
    })
    server.on('tlsClientError', () => undefined)
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const reads = readerOf(`https://127.0.0.1:${(server.address() as AddressInfo).port}`)
    opened.push(reads, server)
    await expect(reads.read('SELECT 1', {})).rejects.toMatchObject({ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' })
    const trusted = getCACertificates('default')
    opened.push({ close: () => setDefaultCACertificates(trusted) })
    setDefaultCACertificates([CERTIFICATE])
    await expect(reads.read('SELECT 1', {})).rejects.toMatchObject({ code: 'ERR_TLS_CERT_ALTNAME_INVALID' })
    expect(requests).toBe(0)
  })
})
