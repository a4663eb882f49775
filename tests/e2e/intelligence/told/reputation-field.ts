import { existsSync, readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import { post, raw } from '../../../builders/network/raw-http.ts'
import { writeFirst } from '../../../builders/network/write-first.ts'
import { ADMINISTRATOR, eventually } from '../../../builders/platform/platform.ts'
import type { Shared } from '../../../builders/platform/shared.ts'
import { REPUTATION, sendLines } from '../../../builders/reputation/reputation-area.ts'

const DATA = join(import.meta.dirname, '../../../../../shared/data/field4')
const missing = !existsSync(DATA)
const data = (file: string): Buffer => readFileSync(join(DATA, file))

// biome-ignore lint/suspicious/noExplicitAny: an answer is what a test looks into
type Json = any

/** Inputs that clients sent to comparable programs, by the number of their row in field4/README.md. */
export function reputationField(shared: Shared): void {
  const { platform } = shared
  const title = missing ? `inputs from the field (skipped: no ${DATA})` : 'inputs from the field'
  const as = ADMINISTRATOR
  const send = (body: string | Buffer, headers: Record<string, string> = {}) =>
    sendLines(platform.url, body, { ...as, ...headers })
  const ask = async (...values: string[]): Promise<Json[]> =>
    (await send(values.map((v) => JSON.stringify(v)).join('\n'))).lines.slice(0, -1)
  const get = async (path: string) => {
    const head = Object.entries({ host: 'x', connection: 'close', ...as }).map(
      ([name, value]) => `${name}: ${value}\r\n`,
    )
    const answer = await raw(platform.url, `GET ${REPUTATION}/${path} HTTP/1.1\r\n${head.join('')}\r\n`)
    return { status: answer!.status, body: JSON.parse(answer!.body) as Json }
  }

  async function report(type: string, value: string, reputation: number): Promise<void> {
    const body = { type, attributes: { [type]: value }, reputation, tags: ['r4'] }
    expect((await platform.ask('/api/ingest/v1/entity', body)).status).toBe(202)
  }

  describe.skipIf(missing)(title, () => {
    const SUFFIXES = ['co.uk', 'www.ck', 'x.city.kawasaki.jp', 's3.amazonaws.com']
    beforeAll(async () => {
      const lines = data('00-feed/reports.ndjson').toString().trim().split('\n')
      for (const line of lines) {
        // A network that is not public is no entity (decisions 3.2).
        const status = line.includes('10.0.0.0/8') ? 400 : 202
        expect((await platform.ask('/api/ingest/v1/entity', JSON.parse(line))).status).toBe(status)
      }
      for (const suffix of SUFFIXES) await report('domain', suffix, -2)
      const last = ['203.0.113.9', 'many-tags-r4.example', 'github.io', 'http://c2-r4.example.com/a?b=1', ...SUFFIXES]
      await eventually(
        () => ask(...last),
        (items) => items.every(({ known }) => known),
      )
    })

    describe('01: NDJSON as senders write it', () => {
      test('BOM, CRLF, a blank line, U+2028 and no line end', async () => {
        const { lines } = await send(data('01-ndjson-bytes/bom-crlf.ndjson'))
        expect(lines).toMatchObject([
          { value: '203.0.113.9', reputation: -3 },
          { value: 'evil-r4.example', reputation: -3 },
          { value: 'пример-r4.example', reputation: -2 },
          { value: 'x\u2028y', notIndicator: true },
          { value: '203.0.113.9', reputation: -3 },
          { answered: 5, refused: 0 },
        ])
      })

      test('objects in lines, and the same without their line ends', async () => {
        const objects = data('01-ndjson-bytes/objects.ndjson')
        expect((await send(objects)).lines.at(-1)).toEqual({ answered: 3, refused: 0 })
        const glued = await send(objects.toString().replaceAll('\n', ''))
        expect(glued.lines).toMatchObject([
          { line: 1, error: { code: 'malformed_json' } },
          { answered: 0, refused: 1 },
        ])
      })

      test('characters that are cut between two pieces, by any name of the host', async () => {
        const body = '"прим-r4.example"\n"203.0.113.9"'
        const bytes = post(REPUTATION, body, {
          host: 'x',
          connection: 'close',
          ...as,
          'content-type': 'application/x-ndjson',
        })
        for (const cut of [bytes.length - 20, bytes.length - 32, bytes.length - 38]) {
          const told = await inPieces(platform.url, [bytes.subarray(0, cut), bytes.subarray(cut)])
          expect(told).toContain('"value":"прим-r4.example"')
          expect(told).toContain('{"answered":2,"refused":0}')
          expect(told).not.toContain('\ufffd')
        }
      })
    })

    test.each([
      ['a third of them listed', (i: number) => (i % 3 ? `198.51.${(i >> 8) & 255}.${i & 255}` : '203.0.113.9')],
      ['all of them, with the longest answers', () => 'many-tags-r4.example'],
    ])('02: 100,000 lines are written before anything is read: %s', async (_, value) => {
      const body = Array.from({ length: 100_000 }, (_of, i) => `{"value":"${value(i)}"}\n`).join('')
      const headers = { host: 'x', connection: 'close', ...as, 'content-type': 'application/x-ndjson' }
      const bytes = post(REPUTATION, body, headers)
      const sent = Promise.all([1, 2].map(() => writeFirst(platform.url, bytes)))
      let running = true
      sent.finally(() => (running = false)).catch(() => undefined)
      while (running) {
        const began = performance.now()
        expect((await get('203.0.113.9')).body.reputation).toBe(-3)
        expect(performance.now() - began).toBeLessThan(5_000)
      }
      for (const { last } of await sent) expect(last).toContain('{"answered":100000,"refused":0}')
    })

    test('04: what senders put around a body', async () => {
      const objects = data('01-ndjson-bytes/objects.ndjson')
      const plain = (await send(objects)).text
      for (const type of ['Application/X-NDJSON; Charset=UTF-8', 'application/x-ndjson;charset=utf-8'])
        expect((await send(objects, { 'content-type': type })).text).toBe(plain)
      for (const type of ['application/ndjson', 'application/jsonl', 'application/json-lines', 'text/plain']) {
        const { status, text } = await send(objects, { 'content-type': type })
        expect(status).toBe(415)
        expect(text).toContain('application/json or application/x-ndjson')
      }
      for (const packed of [gzipSync(objects), gzipSync(Buffer.alloc(20 * 1024 * 1024, ' '))]) {
        const { status, text } = await send(packed, { 'content-encoding': 'gzip' })
        expect([status, text]).toEqual([415, expect.stringContaining('gzip')])
      }
      for (const body of [['203.0.113.9'], { value: '203.0.113.9' }]) {
        const { status, body: told } = await platform.ask(REPUTATION, body)
        expect([status, JSON.stringify(told)]).toEqual([400, expect.stringContaining('values')])
      }
      const chunked = await fetch(platform.url + REPUTATION, {
        method: 'POST',
        headers: { ...as, 'content-type': 'application/x-ndjson' },
        body: new Blob([new Uint8Array(objects)]).stream(),
        duplex: 'half',
      } as RequestInit)
      expect(await chunked.text()).toBe(plain)
    })

    test.each<[string, number, object]>([
      ['http%3A%2F%2Fc2-r4.example.com%2Fa%3Fb%3D1', 200, { value: 'http://c2-r4.example.com/a?b=1', reputation: -3 }],
      [
        'http%253A%252F%252Fc2-r4.example.com%252Fa%253Fb%253D1',
        200,
        { value: 'http%3A%2F%2Fc2-r4.example.com%2Fa%3Fb%3D1', known: false, reputation: 0 },
      ],
      ['http://c2-r4.example.com/a?b=1', 404, {}],
      ['http:/c2-r4.example.com/a?b=1', 404, {}],
      ['%ff', 400, {}],
      ['%00', 400, {}],
      ['%zz', 400, {}],
      ['%', 400, {}],
      ['%2e%2e', 200, { value: '..', known: false }],
      ['%2e', 200, { value: '.', known: false }],
      ['a%2Bb@evil-r4.example', 200, { value: 'a+b@evil-r4.example', known: false, by: { value: 'evil-r4.example' } }],
      ['203.0.113.9/', 404, {}],
    ])('05: a value in a path: %s', async (path, status, answer) => {
      const told = await get(path)
      expect(told.status).toBe(status)
      expect(told.body).toMatchObject(answer)
    })

    test('07: one bad customer of a shared host condemns no others', async () => {
      const items = await ask(
        'github.io',
        'blogspot.com',
        'user-r4.github.io',
        'http://user-r4.github.io/',
        'x@user-r4.github.io',
        'http://github.io/',
        'x-r4.blogspot.com',
      )
      expect(items.slice(0, 2)).toMatchObject([{ reputation: -2 }, { reputation: -2 }])
      for (const item of items.slice(2)) {
        expect(item).toMatchObject({ known: false, reputation: 0 })
        expect(item).not.toHaveProperty('by')
      }
      const below = await ask('x.mallory-r4.github.io', 'http://mallory-r4.github.io/a', 'a.b.evil-r4.example')
      expect(below.map(({ by }) => by.value)).toEqual([
        'mallory-r4.github.io',
        'mallory-r4.github.io',
        'evil-r4.example',
      ])
      // `www.ck` and `city.kawasaki.jp` are exceptions of the list, and registrable.
      const names = await ask(...SUFFIXES, ...SUFFIXES.map((suffix) => `a-r4.${suffix}`))
      expect(names.map(({ reputation }) => reputation)).toEqual([-2, -2, -2, -2, 0, -2, -2, 0])
      expect(names.slice(4).map(({ by }) => by?.value)).toEqual([undefined, 'www.ck', 'x.city.kawasaki.jp', undefined])
    })
  })
}

/** The answer to a request that is sent in these pieces, as text. */
async function inPieces(url: string, pieces: readonly Buffer[]): Promise<string> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname)
    socket.setNoDelay(true)
    const got: Buffer[] = []
    socket.on('data', (bytes) => got.push(bytes))
    socket.on('close', () => resolve(Buffer.concat(got).toString()))
    socket.on('error', reject)
    void (async () => {
      for (const piece of pieces) {
        socket.write(piece)
        await new Promise((next) => setTimeout(next, 20))
      }
    })()
  })
}
