import { mkdir, mkdtemp, symlink, truncate, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { MAX_EVENT_BYTES, openMispFeed } from '../../../../connectors/feeds/misp-place.ts'
import { eventUuid } from '../../../builders/feeds/misp/folder.ts'

const folder = await mkdtemp(join(tmpdir(), 'harrier-misp-feed-'))
const feed = join(folder, 'feed')
await mkdir(feed)
await writeFile(join(feed, 'manifest.json'), '{"a":1}')
const put = async (n: number, bytes: string | Buffer): Promise<string> => {
  await writeFile(join(feed, `${eventUuid(n)}.json`), bytes)
  return eventUuid(n)
}

describe('a MISP feed in a folder', () => {
  test('is named by its folder or its manifest', async () => {
    const [byFolder, byManifest] = [await openMispFeed(feed), await openMispFeed(join(feed, 'manifest.json'))]
    expect(byFolder.identity).toBe(byManifest.identity)
    expect(await byManifest.manifest()).toEqual({ a: 1 })
  })

  test('has events as JSON, packed or not', async () => {
    const place = await openMispFeed(feed)
    expect(await place.event(await put(1, '{"Event":{}}'))).toEqual({ Event: {} })
    expect(await place.event(await put(2, gzipSync('{"Event":{}}')))).toEqual({ Event: {} })
  })

  test('says what is missing, broken or no file', async () => {
    const place = await openMispFeed(feed)
    await expect(place.event(eventUuid(9))).rejects.toThrow(`there is no ${eventUuid(9)}.json`)
    await expect(place.event(await put(3, '{"Event":'))).rejects.toThrow(`${eventUuid(3)}.json is not JSON`)
    await mkdir(join(feed, `${eventUuid(4)}.json`))
    await expect(place.event(eventUuid(4))).rejects.toThrow('is not a file')
    await expect(place.event(await put(5, Buffer.from([0x22, 0xff, 0x22])))).rejects.toThrow('bytes that are not UTF-8')
  })

  test('is not left by links', async () => {
    await writeFile(join(folder, 'secret.json'), '{"Event":{}}')
    await symlink(join(folder, 'secret.json'), join(feed, `${eventUuid(6)}.json`))
    await expect((await openMispFeed(feed)).event(eventUuid(6))).rejects.toThrow('leads out of the folder')
    await expect((await openMispFeed(feed)).event('../secret')).rejects.toThrow('leads out of the folder')
  })

  test('refuses an event of more than 64 MiB, also when it is packed', async () => {
    const place = await openMispFeed(feed)
    const large = await put(7, '')
    await truncate(join(feed, `${large}.json`), MAX_EVENT_BYTES + 1)
    await expect(place.event(large)).rejects.toThrow(`larger than ${MAX_EVENT_BYTES} bytes`)
    const bomb = gzipSync(Buffer.alloc(MAX_EVENT_BYTES + 1, ' '))
    await expect(place.event(await put(8, bomb))).rejects.toThrow(`larger than ${MAX_EVENT_BYTES} bytes`)
  })

  test('is a folder', async () => {
    await expect(openMispFeed(join(folder, 'secret.json'))).rejects.toThrow('not a folder')
    await expect(openMispFeed('ftp://example.com/')).rejects.toThrow('only http and https')
  })
})

describe('a MISP feed at a URL', () => {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(request.url!)
    if (request.url!.includes('/missing/')) response.writeHead(404).end()
    else if (request.url!.includes('/inside/')) response.writeHead(302, { location: 'http://10.0.0.1/' }).end()
    else response.end('{"ok":true}')
  })
  let base = ''
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  afterAll(() => void server.close())

  test('is the same one whoever asks, and its name holds no password', async () => {
    const [named, other] = [
      await openMispFeed('https://ada:secret@misp.example/feed/'),
      await openMispFeed('https://misp.example/feed'),
    ]
    expect([named.identity, other.identity]).toEqual(['https://misp.example/feed/', 'https://misp.example/feed/'])
    const wrong = await openMispFeed('ftp://ada:secret@misp.example/').catch((error: Error) => error)
    expect((wrong as Error).message).not.toContain('secret')
  })

  test('has its files beside the manifest, whatever of it was named', async () => {
    for (const place of ['/feed', '/feed/', '/feed/manifest.json?key=1']) {
      const opened = await openMispFeed(base + place)
      expect(await opened.manifest()).toEqual({ ok: true })
      expect(await opened.event(eventUuid(1))).toEqual({ ok: true })
    }
    const event = `/feed/${eventUuid(1)}.json`
    expect(asked).toEqual([
      ...['/feed/manifest.json', event, '/feed/manifest.json', event],
      ...['/feed/manifest.json?key=1', `${event}?key=1`],
    ])
  })

  test('says what the server answered, and follows no redirect to a private address', async () => {
    await expect((await openMispFeed(`${base}/missing/`)).manifest()).rejects.toThrow('the server answered 404')
    await expect((await openMispFeed(`${base}/inside/`)).manifest()).rejects.toThrow('10.0.0.1 is not a public address')
    await expect((await openMispFeed('http://192.168.0.1/feed')).manifest()).rejects.toThrow('not a public address')
  })
})
