import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { normalise } from '../../../../../schemas/intelligence/entities/normalise.ts'
import { linesOf, openRequest } from '../../../../builders/api/bulk-area.ts'
import { post } from '../../../../builders/network/raw-http.ts'
import { writeFirst } from '../../../../builders/network/write-first.ts'
import { memoryLookups, presentRow } from '../../../../builders/reputation/memory-lookups.ts'
import {
  NDJSON,
  REPUTATION,
  type ReputationArea,
  reputationArea,
  sendLines,
} from '../../../../builders/reputation/reputation-area.ts'

const TAGS = Array.from({ length: 100 }, (_, i) => `tag-number-${i}-of-a-long-list`)
const ROWS = [
  presentRow('ip', '203.0.113.9', { reputation: -3, tags: ['r4'] }),
  presentRow('domain', normalise('domain', 'пример-r4.example') as string, { reputation: -2 }),
  presentRow('domain', 'long.example', { reputation: -1, tags: TAGS }),
]
let api: ReputationArea
beforeEach(async () => {
  api = await reputationArea(ROWS)
})
afterEach(() => api?.close())

const open = (headers: Record<string, string> = {}) => openRequest(api.url, { ...NDJSON, ...headers }, REPUTATION)
const values = (lines: readonly { value?: string }[]) => lines.slice(0, -1).map(({ value }) => value)

describe('bytes as senders write them', () => {
  test('a BOM, CRLF, blank lines and a last line without an end', async () => {
    const body = '\ufeff"203.0.113.9"\r\n\r\n \t\r\n{"value":"a\u2028b"}\r\nno\r\n"x\u2029"'
    const { status, headers, lines } = await api.send(body)
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('application/x-ndjson')
    expect(headers.get('x-accel-buffering')).toBe('no')
    expect(headers.get('x-answered-by')).toBe('index')
    expect(lines).toEqual([
      expect.objectContaining({ value: '203.0.113.9', known: true, reputation: -3 }),
      expect.objectContaining({ value: 'a\u2028b' }),
      { line: 5, error: { code: 'malformed_json', message: expect.any(String) } },
      expect.objectContaining({ value: 'x\u2029' }),
      { answered: 3, refused: 1 },
    ])
  })

  test('a BOM is one at the beginning of the body alone', async () => {
    const { lines } = await api.send('"a"\n\ufeff"b"\n')
    expect(lines.slice(1)).toMatchObject([
      { line: 2, error: { code: 'malformed_json' } },
      { answered: 1, refused: 1 },
    ])
    expect((await api.send('\ufeff')).text).toBe('{"answered":0,"refused":0}\n')
    expect((await api.send('\n\n \n')).text).toBe('{"answered":0,"refused":0}\n')
  })

  test('objects without line ends are one malformed line, and never an answer for the first', async () => {
    const glued = await api.send('{"value":"203.0.113.9"}{"value":"a"}{"value":"b"}')
    expect(glued.lines).toEqual([
      { line: 1, error: { code: 'malformed_json', message: expect.stringContaining('line ends') } },
      { answered: 0, refused: 1 },
    ])
  })

  test('bytes that are no UTF-8 refuse their line alone', async () => {
    const body = Buffer.concat([Buffer.from('"a"\n"'), Buffer.from([0xd0]), Buffer.from('"\n"b"\n')])
    expect((await api.send(body)).lines).toMatchObject([
      { value: 'a' },
      { line: 2, error: { code: 'malformed_json' } },
      { value: 'b' },
      { answered: 2, refused: 1 },
    ])
  })

  test.each(['with a length', 'in chunks'])('a body that comes byte by byte, %s', async (how) => {
    const body = Buffer.from('\ufeff"пример-r4.example"\r\n\n"203.0.113.9"\n"😀"')
    const sent = open(how === 'in chunks' ? {} : { 'content-length': String(body.length) })
    for (const byte of body) {
      sent.request.write(Buffer.from([byte]))
      await new Promise(setImmediate)
    }
    sent.request.end()
    const lines = await sent.read(4)
    expect(values(lines)).toEqual(['пример-r4.example', '203.0.113.9', '😀'])
    expect(lines).toMatchObject([{ known: true }, { known: true }, { known: false }, { answered: 3, refused: 0 }])
  })

  test('answers come while the body is still sent', async () => {
    const sent = open()
    sent.request.write('"203.0.113.9"\n')
    expect(await sent.read(1)).toMatchObject([{ known: true }])
    sent.request.write('"a"')
    await sleep(50)
    sent.request.end('\n')
    expect((await sent.read(3)).slice(1)).toMatchObject([{ value: 'a' }, { answered: 2 }])
  })

  test('a client that goes away in the middle leaves nothing behind', async () => {
    const sent = open()
    sent.request.on('error', () => undefined)
    sent.request.write('"203.0.113.9"\n')
    await sent.read(1)
    sent.request.destroy()
    for (let i = 0; i < 12; i++) expect((await api.send('"a"\n')).lines.at(-1)).toEqual({ answered: 1, refused: 0 })
  })
})

describe('bounds', () => {
  test('100,000 lines are answered; the next one ends the stream', async () => {
    const body = (count: number) => `${'"203.0.113.9"\n\n'.repeat(count - 1)}"a"`
    const whole = await api.send(body(100_000))
    expect(whole.lines).toHaveLength(100_001)
    expect(whole.lines.at(-1)).toEqual({ answered: 100_000, refused: 0 })
    const cut = await api.send(`${body(100_000)}\n"b"\n`)
    expect(cut.lines).toHaveLength(100_001)
    expect(cut.lines.at(-1)).toEqual({ line: 200_000, error: { code: 'too_many_lines', message: expect.any(String) } })
  })

  test('a body of more than 16 MiB ends on the way, one that says so is a 413', async () => {
    const line = `"${'a'.repeat(2_000)}"\n`
    const sent = open()
    let [lines, last] = [0, '']
    const ended = sent.answer.then(async (answer) => {
      answer.on('data', (bytes: Buffer) => {
        lines += String(bytes).split('\n').length - 1
        last = (last + bytes).slice(-400)
      })
      await once(answer, 'end')
    })
    for (let i = 0; i < 9_000; i++) if (!sent.request.write(line)) await once(sent.request, 'drain')
    sent.request.end()
    await ended
    expect(linesOf(last.slice(last.lastIndexOf('{"line"')))).toEqual([
      { line: 8_377, error: { code: 'too_large', message: expect.any(String) } },
    ])
    expect(lines).toBe(8_377)
    expect((await api.send(line.repeat(9_000))).status).toBe(413)
  })

  test('the lines that fit the limit are answered, the others are refused', async () => {
    let left = 3
    const limited = await reputationArea(ROWS, {
      limits: {
        take: async (_counter, limit, units) => {
          const admitted = units <= left
          if (admitted) left -= units
          return { admitted, used: limit - left }
        },
        giveBack: (_counter, units) => {
          left += units
        },
        usage: async () => [],
      },
    })
    const ask = (path: string, init?: RequestInit) => fetch(limited.url + REPUTATION + path, init)
    try {
      const { lines } = await limited.send('"a"\nno\n"b"\n"c"\n"d"\n')
      expect(lines).toEqual([
        expect.objectContaining({ value: 'a' }),
        { line: 2, error: { code: 'malformed_json', message: expect.any(String) } },
        expect.objectContaining({ value: 'b' }),
        { line: 4, error: { code: 'rate_limit_exceeded', message: expect.any(String) } },
        { line: 5, error: { code: 'rate_limit_exceeded', message: expect.any(String) } },
        { answered: 2, refused: 3 },
      ])
      expect(left).toBe(0)
      expect((await limited.send('"a"\n')).lines).toMatchObject([{ error: { code: 'rate_limited' } }])
      left = 2
      const json = { method: 'POST', headers: { 'content-type': 'application/json' } }
      expect((await ask('', { ...json, body: '{"values":["a","b","c"]}' })).status).toBe(429)
      expect(left).toBe(2)
      expect((await ask('', { ...json, body: '{"values":["a","b"]}' })).status).toBe(200)
      expect(left).toBe(0)
      expect((await ask('/a')).status).toBe(429)
    } finally {
      await limited.close()
    }
  })

  test('a client behind a proxy has its answer after its body also when no more answers have room', async () => {
    const proxied = await reputationArea(ROWS, {}, { trustedProxies: 1 })
    const sent = openRequest(proxied.url, { ...NDJSON, 'x-forwarded-for': '192.0.2.7' }, REPUTATION)
    let answered = false
    sent.request.once('response', () => {
      answered = true
    })
    // Answers of 34 MB, of which 25 have room.
    sent.request.write('{"value":"a.long.example"}\n'.repeat(10_000))
    await sleep(1_000)
    sent.request.write('"a"\n')
    await sleep(200)
    expect(answered).toBe(false)
    sent.request.end('"b"\n')
    expect((await sent.read(10_003)).at(-1)).toEqual({ answered: 10_002, refused: 0 })
    await proxied.close()
  })

  test('a client behind a proxy is answered when its body has ended', async () => {
    const proxied = await reputationArea(ROWS, {}, { trustedProxies: 1 })
    const sent = openRequest(proxied.url, { ...NDJSON, 'x-forwarded-for': '192.0.2.7' }, REPUTATION)
    let answered = false
    sent.request.once('response', () => (answered = true))
    sent.request.write('"203.0.113.9"\n')
    await sleep(150)
    expect(answered).toBe(false)
    sent.request.end()
    expect(await sent.read(2)).toMatchObject([{ known: true }, { answered: 1 }])
    await proxied.close()
  })
})

describe('a client that reads nothing before it has sent everything', () => {
  // 16 MB that are answered with 300: what is held of answers, and every buffer between, is full after a part of the body.
  const COUNT = 80_000
  const body = Buffer.from(`{"value":"http://long.example/${'a'.repeat(170)}"}\n`.repeat(COUNT))

  test('gets all of it, two at once, and others are answered meanwhile', async () => {
    const bytes = post(REPUTATION, body, { ...NDJSON, connection: 'close' })
    const all = Promise.all(Array.from({ length: 2 }, () => writeFirst(api.url, bytes)))
    let running = true
    all.finally(() => (running = false)).catch(() => undefined)
    const times: number[] = []
    while (running) {
      const began = performance.now()
      expect((await sendLines(api.url, '"203.0.113.9"\n')).lines).toMatchObject([{ known: true }, { answered: 1 }])
      times.push(performance.now() - began)
      await sleep(50)
    }
    for (const { last } of await all) expect(last).toContain(`{"answered":${COUNT},"refused":0}`)
    expect(Math.max(...times)).toBeLessThan(3_000)
  }, 120_000)
})

test('what changes while a body comes is in the answers that follow', async () => {
  const sent = open()
  sent.request.write('"new.example"\n')
  expect(await sent.read(1)).toMatchObject([{ known: false }])
  api.lookups = memoryLookups([...ROWS, presentRow('domain', 'new.example', { reputation: -2 })])
  sent.request.end('"new.example"\n')
  expect((await sent.read(3)).slice(1)).toMatchObject([{ known: true, reputation: -2 }, { answered: 2 }])
})
