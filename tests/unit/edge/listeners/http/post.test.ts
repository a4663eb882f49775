import { once } from 'node:events'
import { connect } from 'node:net'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { httpEdge } from '../../../../builders/edge/http-edge.ts'
import { raw } from '../../../../builders/network/raw-http.ts'

const edge = httpEdge()
const JSON_TYPE = { 'content-type': 'application/json' }

/** What is answered in short: the value and whether it is listed, or the line and the code of its error. */
const short = (line: Record<string, unknown> & { error?: { code: string } }) =>
  line.error
    ? `${line.line} ${line.error.code}`
    : 'value' in line
      ? `${line.value} ${line.listed}`
      : JSON.stringify(line)

async function answered(body: string | Buffer, headers: Record<string, string> = {}): Promise<string[]> {
  const { status, lines } = await edge.lines(body, headers)
  expect(status).toBe(200)
  return lines.map(short)
}

async function json(body: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(`${edge.url()}/v1`, {
    method: 'POST',
    headers: { ...JSON_TYPE, ...headers },
    body: typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body),
  })
  return { status: response.status, body: (await response.json()) as Record<string, never> }
}

describe('lines', () => {
  test('are strings or objects, answered in order, repeats too', async () => {
    expect(await answered('"203.0.113.9"\n{"value":"198.51.100.1"}\n"203.0.113.9"\n')).toEqual([
      ...['203.0.113.9 true', '198.51.100.1 false', '203.0.113.9 true', '{"answered":3,"refused":0}'],
    ])
  })

  test('with a mark at the begin, CRLF, blank ones, and no end of the last one', async () => {
    const body = '\ufeff"203.0.113.9"\r\n\r\n{"value":"evil-r4.example"}\r\nnot json\r\n\n"198.51.100.1"'
    expect(await answered(body)).toEqual([
      ...['203.0.113.9 true', 'evil-r4.example true', '4 malformed_json', '198.51.100.1 false'],
      '{"answered":3,"refused":1}',
    ])
  })

  test('glued into one are one bad line with a hint', async () => {
    const { lines } = await edge.lines('{"value":"203.0.113.9"}{"value":"evil-r4.example"}')
    expect(lines.map(short)).toEqual(['1 malformed_json', '{"answered":0,"refused":1}'])
    expect(JSON.stringify(lines[0])).toContain('line ends are missing')
  })

  test('of any letters are answered byte for byte, in any pieces', async () => {
    const body = Buffer.from('"при\u2028мер r4"\n"🜁\\u0000"\n')
    expect(await answered(body)).toEqual(['при\u2028мер r4 true', '🜁\0 false', '{"answered":2,"refused":0}'])
    const head =
      'POST /v1 HTTP/1.1\r\nhost: x\r\ncontent-type: application/x-ndjson\r\nconnection: close\r\ntransfer-encoding: chunked\r\n\r\n'
    const chunks = [...body].map((byte) => Buffer.concat([Buffer.from('1\r\n'), Buffer.of(byte), Buffer.from('\r\n')]))
    const { body: text } = (await raw(
      edge.url(),
      Buffer.concat([Buffer.from(head), ...chunks, Buffer.from('0\r\n\r\n')]),
    ))!
    expect(text).toContain('"value":"при\u2028мер r4","listed":true')
    expect(text).toContain('{"answered":2,"refused":0}')
  })

  test.each([
    [Buffer.from([0x22, 0xff, 0x22, 0x0a]), 'malformed_json'],
    ['"\\ud800"\n', 'invalid_parameter'],
    ['["203.0.113.9"]\n', 'invalid_parameter'],
    ['{"value":7}\n', 'invalid_parameter'],
    ['{"value":"a","x":1}\n', 'invalid_parameter'],
    ['null\n', 'invalid_parameter'],
    [`"${'a'.repeat(2_049)}"\n`, 'invalid_parameter'],
    [`"${'я'.repeat(1_025)}"\n`, 'invalid_parameter'],
  ])('that are none are refused by themselves (%#)', async (line, code) => {
    const body = Buffer.concat([Buffer.from(line), Buffer.from('"203.0.113.9"\n')])
    expect(await answered(body)).toEqual([`1 ${code}`, '203.0.113.9 true', '{"answered":1,"refused":1}'])
  })

  test('may be none at all', async () => {
    expect(await answered('')).toEqual(['{"answered":0,"refused":0}'])
    expect(await answered('\n\r\n')).toEqual(['{"answered":0,"refused":0}'])
  })

  test('beyond their number end it with an error, without a last line', async () => {
    const lines = await answered('"x"\n'.repeat(100_001))
    expect([lines.length, lines.at(-1)]).toEqual([100_001, '100001 too_many_lines'])
  })

  test('beyond their bytes end it with an error, without a last line', async () => {
    const head =
      'POST /v1 HTTP/1.1\r\nhost: x\r\ncontent-type: application/x-ndjson\r\ntransfer-encoding: chunked\r\nconnection: close\r\n\r\n'
    const chunk = `${(1024 * 1024).toString(16)}\r\n${' '.repeat(1024 * 1024 - 1)}\n\r\n`
    const answer = (await raw(edge.url(), `${head}${chunk.repeat(17)}0\r\n\r\n`))!
    expect(answer.body).toContain('too_large')
    expect(answer.body).not.toContain('answered')
  })

  test('that come when the list is too old are refused, and none of them is clean', async () => {
    edge.answers.state.stale = true
    const { status, lines } = await edge
      .lines('"198.51.100.1"\n')
      .finally(() => Object.assign(edge.answers.state, { stale: false }))
    expect([status, lines[0]!.error!.code]).toEqual([503, 'stale'])
  })

  test('after the list became too old on the way are refused one by one', async () => {
    let asked = 0
    const { isStale } = edge.answers
    edge.answers.isStale = () => ++asked > 3
    const lines = await answered('"198.51.100.1"\n'.repeat(4)).finally(() => Object.assign(edge.answers, { isStale }))
    expect(lines).toEqual([
      ...['198.51.100.1 false', '198.51.100.1 false', '3 stale', '4 stale', '{"answered":2,"refused":2}'],
    ])
  })
})

describe('values as JSON', () => {
  test('are answered as items, in order, repeats too', async () => {
    const values = ['203.0.113.9', '198.51.100.1', '203.0.113.9']
    expect(await json({ values })).toEqual({
      status: 200,
      body: { items: values.map((value) => edge.answers.answer(value)) },
    })
    const many = Array.from({ length: 10_000 }, (_, i) => `n${i}.example`)
    expect(((await json({ values: many })).body.items as unknown as unknown[]).length).toBe(10_000)
  })

  test.each<[unknown, string]>([
    [['203.0.113.9'], 'values'],
    [{ value: '203.0.113.9' }, 'values'],
    [{ values: [] }, 'values'],
    [{ values: Array.from({ length: 10_001 }, () => 'x') }, 'values'],
    [{ values: ['a'], x: 1 }, 'x'],
    [{ values: ['a', 7] }, 'values/1'],
    [{ values: ['a'.repeat(2_049)] }, 'values/0'],
  ])('are refused as a whole where they are none, with the place (%#)', async (body, param) => {
    const refused = await json(body)
    expect([refused.status, refused.body.error]).toEqual([400, expect.objectContaining({ param })])
  })

  test.each(['', '{', '{"values":["a"]}{'])('that are no JSON are: %j', async (body) => {
    expect(await json(body)).toMatchObject({ status: 400, body: { error: { code: 'malformed_json' } } })
  })

  test('are not answered from a list that is too old', async () => {
    edge.answers.state.stale = true
    const { status } = await json({ values: ['a'] }).finally(() => Object.assign(edge.answers.state, { stale: false }))
    expect(status).toBe(503)
  })
})

describe('a body', () => {
  test.each(['gzip', 'br', 'zstd', 'GZIP'])('packed with %s is refused by that name', async (coding) => {
    for (const type of ['application/x-ndjson', 'application/json']) {
      const refused = await json(gzipSync('"203.0.113.9"\n'), { 'content-type': type, 'content-encoding': coding })
      expect([refused.status, JSON.stringify(refused.body)]).toEqual([415, expect.stringContaining(coding)])
    }
  })

  test.each(['application/x-ndjson; charset=utf-8', 'Application/X-NDJSON;charset=UTF-8', 'APPLICATION/X-NDJSON'])(
    'of %s is lines',
    async (type) => expect(await answered('"203.0.113.9"\n', { 'content-type': type })).toHaveLength(2),
  )

  test.each(['text/plain', 'application/jsonl', 'application/json-lines', 'application/octet-stream'])(
    'of %s is refused, with the names of both',
    async (type) => {
      const refused = await json('"203.0.113.9"\n', { 'content-type': type })
      expect([refused.status, JSON.stringify(refused.body)]).toEqual([
        415,
        expect.stringMatching(/application\/json or application\/x-ndjson/),
      ])
    },
  )

  const HEAD = 'POST /v1 HTTP/1.1\r\nhost: x\r\nconnection: close\r\n'
  test.each(['application/json', 'application/x-ndjson'])(
    'of %s whose length is beyond the bound is refused before it comes',
    async (type) => {
      const bytes = `${HEAD}content-type: ${type}\r\ncontent-length: 99999999\r\nexpect: 100-continue\r\n\r\n`
      const socket = connect(edge.listener().port, '127.0.0.1')
      let text = ''
      socket.on('data', (piece) => (text += String(piece)))
      socket.write(bytes)
      await expect.poll(() => text).toMatch(/HTTP\/1\.1 413/)
      socket.destroy()
    },
  )

  test('that is waited for is asked for, and then answered', async () => {
    const body = '{"values":["203.0.113.9"]}'
    const socket = connect(edge.listener().port, '127.0.0.1')
    let text = ''
    socket.on('data', (piece) => {
      if (text === '') socket.write(body)
      text += String(piece)
    })
    const length = `content-length: ${body.length}\r\n`
    socket.write(`${HEAD}content-type: application/json\r\n${length}expect: 100-continue\r\n\r\n`)
    await once(socket, 'close')
    expect(text).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK\r\n/)
    expect(text).toContain('"value":"203.0.113.9","listed":true')
  })

  test('of JSON without a length that is too long is told so, and the connection is not torn', async () => {
    const chunk = `${(1024 * 1024).toString(16)}\r\n${' '.repeat(1024 * 1024)}\r\n`
    const head = `${HEAD}content-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n`
    const answer = await raw(edge.url(), `${head}${chunk.repeat(5)}0\r\n\r\n`)
    expect(answer?.status).toBe(413)
  })
})
