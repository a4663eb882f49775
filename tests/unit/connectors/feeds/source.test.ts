import { mkdtemp, utimes, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { mayConnect, openUrl } from '../../../../connectors/feeds/feed-url.ts'
import { type FeedSource, openSource } from '../../../../connectors/feeds/source.ts'

const nothing = Readable.from([])

async function textOf({ bytes }: Pick<FeedSource, 'bytes'>): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of bytes) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

test('a file is recognised by its place, size and time of change', async () => {
  const path = join(await mkdtemp(join(tmpdir(), 'harrier-source-')), 'a')
  await writeFile(path, 'abc')
  const source = await openSource(path, nothing)
  expect(await textOf(source)).toBe('abc')
  expect([source.size, source.read()]).toEqual([3, 3])
  expect((await openSource(path, nothing)).identity).toBe(source.identity)
  await utimes(path, 1, 1)
  expect((await openSource(path, nothing)).identity).not.toBe(source.identity)
})

test('the standard input is not recognised again', async () => {
  const source = await openSource('-', Readable.from([Buffer.from('abc')]))
  expect(source.identity).toBeNull()
  expect(await textOf(source)).toBe('abc')
})

test('other schemes are refused', async () => {
  await expect(openSource('ftp://example.com/a', nothing)).rejects.toThrow('only http and https')
  await expect(openSource('file:///etc/passwd', nothing)).rejects.toThrow('only http and https')
})

describe('a URL', () => {
  const server = createServer((request, response) => {
    const redirect = (location: string) => response.writeHead(302, { location }).end()
    if (request.url === '/versioned') response.writeHead(200, { etag: '"1"' }).end('abc')
    else if (request.url === '/plain') response.writeHead(200).end('abc')
    else if (request.url === '/self') redirect('/plain')
    else if (request.url === '/private') redirect('http://10.0.0.1/')
    else if (request.url === '/file') redirect('file:///etc/passwd')
    else if (request.url === '/slow') response.writeHead(200).write('a')
    else response.writeHead(404).end()
  })
  let base = ''
  beforeAll(async () => {
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })

  test('is fetched from loopback when it names it, and recognised by its version', async () => {
    const source = await openSource(`${base}/versioned`, nothing)
    expect(source.identity).toContain('"1"')
    expect(await textOf(source)).toBe('abc')
  })

  test('by the name localhost is loopback as well', async () => {
    expect(await textOf(await openSource(`${base.replace('127.0.0.1', 'localhost')}/plain`, nothing))).toBe('abc')
  })

  test('without a version is not recognised again', async () => {
    expect((await openSource(`${base}/plain`, nothing)).identity).toBeNull()
  })

  const refused = [
    ['/missing', 'answered 404'],
    ['/self', '127.0.0.1 is not a public address'],
    ['/private', '10.0.0.1 is not a public address'],
    ['/file', 'only http and https'],
  ] as const
  for (const [path, message] of refused) {
    test(`${path} is refused: ${message}`, async () => {
      await expect(openSource(base + path, nothing)).rejects.toThrow(message)
    })
  }

  test('past its bound of bytes is an error', async () => {
    const { body } = await openUrl(`${base}/plain`, { maxBytes: 2, totalMs: 5_000, idleMs: 5_000 })
    await expect(textOf({ bytes: body })).rejects.toThrow('larger than 2 bytes')
  })

  test('that stops sending is an error', async () => {
    const { body } = await openUrl(`${base}/slow`, { maxBytes: 99, totalMs: 60_000, idleMs: 50 })
    await expect(textOf({ bytes: body })).rejects.toThrow()
  })

  test('that takes too long is an error', async () => {
    const { body } = await openUrl(`${base}/slow`, { maxBytes: 99, totalMs: 50, idleMs: 60_000 })
    await expect(textOf({ bytes: body })).rejects.toThrow()
  })
})

const addresses = [
  ['8.8.8.8', false, true],
  ['2001:4860:4860::8888', false, true],
  ['127.0.0.1', false, false],
  ['127.0.0.1', true, true],
  ['::1', true, true],
  ['::ffff:127.0.0.1', false, false],
  ['10.0.0.1', true, false],
  ['192.168.1.1', true, false],
  ['169.254.1.1', true, false],
  ['100.64.0.1', true, false],
  ['fe80::1', true, false],
  ['fd00::1', true, false],
  ['0.0.0.0', true, false],
] as const
for (const [address, loopback, want] of addresses) {
  test(`${address} is ${want ? 'connected to' : 'refused'}${loopback ? ' where loopback was named' : ''}`, () => {
    expect(mayConnect(address, loopback)).toBe(want)
  })
}
