import { readFileSync } from 'node:fs'
import type { ClientRequest } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, expect, test } from 'vitest'
import { newUserOf, type User } from '../../../builders/accounts/users.ts'
import { ipLine, openRequest } from '../../../builders/api/bulk-area.ts'
import {
  codeOf,
  countReports,
  cutAndRepeated,
  reportsInLog,
  sendBulk,
  type Told,
} from '../../../builders/api/bulk-platform.ts'
import { eventually } from '../../../builders/platform/platform.ts'
import type { Shared } from '../../../builders/platform/shared.ts'

/** Bodies that are too long, too slow or wrong, and clients that do not read (decisions 15.1). */
export function bulkBounds(shared: Shared): void {
  const { folder, platform } = shared
  const MIB = 1024 * 1024
  const ALL = Number.POSITIVE_INFINITY
  let reporter: User
  /** They take a minute, while the other tests run. */
  let slow: Promise<{ told: Told[]; took: number }>[]

  beforeAll(async () => {
    reporter = await newReporter()
    slow = [slowBody(() => ''), slowBody(() => ' ')]
  }, 240_000)

  const newReporter = (): Promise<User> => newUserOf(platform, { roles: ['user', 'reporter'], groups: ['blue'] })
  const open = (headers: Record<string, string> = {}) => {
    const opened = openRequest(platform.url, { ...reporter.headers, ...headers })
    opened.request.on('error', () => undefined)
    return opened
  }
  const send = (body: string | Buffer, headers: Record<string, string> = {}) =>
    sendBulk(platform.url, body, reporter.headers, headers)
  const tagged = (n: number, tag: string): string => `${ipLine(n, { tags: [tag] })}\n`
  const counted = (tag: string, wanted: number) => countReports(platform, reporter.headers, tag, wanted)
  const times = (n: number) => ({ history: n, entities: n, log: n })
  const taken = (line: number) => ({ line, id: expect.stringMatching(/^ip-[0-9a-f]{64}$/) })
  const refused = (line: number, code: string) => ({ line, error: expect.objectContaining({ code }) })

  /** One line, and then no other: with a piece each second, which has no line end. */
  async function slowBody(piece: () => string): Promise<{ told: Told[]; took: number }> {
    const { request, read } = open()
    const dripping = setInterval(() => piece() === '' || request.write(piece()), 1_000)
    request.write(tagged(1, 'slow'))
    await read(1)
    const began = performance.now()
    const told = (await read(ALL)) as Told[]
    clearInterval(dripping)
    request.destroy()
    return { told, took: performance.now() - began }
  }

  test('each line is read by itself: blank, too long, no UTF-8, with either line end, the last without', async () => {
    const long = ipLine(1).padEnd(MIB, ' ')
    const pieces = [
      '\r\n',
      `${ipLine(2)}\r\n`,
      '\n',
      `${long}\n`,
      `${long} \n`,
      Buffer.from([0x22, 0xff, 0x0a]),
      ipLine(3),
    ]
    const { status, lines } = await send(Buffer.concat(pieces.map((piece) => Buffer.from(piece))))
    expect([status, lines]).toEqual([
      200,
      [taken(2), taken(4), refused(5, 'body_too_large'), refused(6, 'malformed_json'), taken(7)].concat([
        { accepted: 3, rejected: 2 } as never,
      ]),
    ])
  })

  test('a body that is none, or is declared too long, or of another type, is refused whole', async () => {
    const none = open()
    none.request.flushHeaders()
    none.request.end()
    expect(await none.read(ALL)).toEqual([{ accepted: 0, rejected: 0 }])
    expect((await send('')).status).toBe(400)
    expect((await send(ipLine(1), { 'content-type': 'application/json' })).status).toBe(415)
    const declared = open({ 'content-length': String(64 * MIB + 1) })
    declared.request.flushHeaders()
    expect((await declared.answer).statusCode).toBe(413)
    declared.request.destroy()
  })

  test('the line beyond 100,000 ends the answer, also of a repeat, and nothing from there on is stored', async () => {
    const key = { 'idempotency-key': 'many' }
    const body = `${tagged(10, 'many')}${'x\n'.repeat(99_998)}${[11, 12, 13].map((n) => tagged(n, 'many')).join('')}`
    const first = await send(body, key)
    expect(first.lines).toHaveLength(100_001)
    expect(first.lines.slice(-2)).toEqual([taken(100_000), refused(100_001, 'too_many_lines')])
    expect((await send(body, key)).text).toBe(first.text)
    expect(await counted('many', 2)).toEqual(times(2))
  })

  test('a body that goes on past 64 MiB without having said so ends with too_large', async () => {
    const { request, read } = open()
    request.write(tagged(20, 'large'))
    const blank = Buffer.alloc(MIB, ' ')
    for (let n = 0; n < 65; n++) if (!request.write(blank)) await drained(request)
    request.end()
    expect(await read(ALL)).toEqual([taken(1), refused(2, 'too_large')])
    expect(await counted('large', 1)).toEqual(times(1))
  })

  test('a body under a key: cut in a line, sent again and again, beside itself, and changed', async () => {
    const lines = Array.from({ length: 500 }, (_, n) => tagged(1_000 + n, 'cut'))
    const { url } = platform
    const sent = await cutAndRepeated([url, url], reporter.headers, { key: 'cut', lines, cutAt: 200 })
    const { before, beside, whole, again, other } = sent
    expect([codeOf(beside), codeOf(other)]).toEqual(['409 in_progress', '409 idempotency_mismatch'])
    expect(Number(beside.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(whole.lines.slice(0, 200)).toEqual(before)
    expect(whole.lines.at(-1)).toEqual({ accepted: 500, rejected: 0 })
    expect(again.map(({ text }) => text)).toEqual([whole.text, whole.text, whole.text])
    expect(await counted('cut', 500)).toEqual(times(500))
  })

  /** Of one user, and of how many: more answers than all of the process have room for. */
  const OF_USER = 8
  const USERS = 4
  /** A refusal quotes the name twice. */
  const WRONG = `${JSON.stringify({ ['é'.repeat(490)]: 1 })}\n`.repeat(100)
  const GOOD = 100
  /** What a process holds for clients that do not read is 96 MiB, and some for each: these would be more than a gigabyte. */
  const MOST_GROWTH_MIB = 450
  const WRITES = 400
  const SLOWEST_MS = 4_000

  const residentMib = (): number =>
    Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${platform.pid}/status`, 'utf8'))![1]) / 1024

  /** Resolves when the client may write on, or its connection is over. */
  function drained(request: ClientRequest): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        for (const event of ['drain', 'close']) request.off(event, wake)
        resolve()
      }
      for (const event of ['drain', 'close']) request.on(event, wake)
    })
  }

  /** Sends while it is let, and reads nothing. */
  function neverReading({ headers }: User, name: string, first: number) {
    const { request } = openRequest(platform.url, { ...headers, 'idempotency-key': name })
    request.on('error', () => undefined)
    const body = [Array.from({ length: GOOD }, (_, n) => tagged(first + n, name)).join('')]
    for (let n = 0; n < WRITES; n++) body.push(WRONG)
    let written = 0
    let [left, whole] = [false, false]
    const ended = (async () => {
      for (const piece of body) {
        if (left) return
        written += piece.length
        if (!request.write(piece)) await drained(request)
      }
      whole = true
    })()
    return {
      body: () => body.join(''),
      written: () => written,
      isWhole: () => whole,
      async leave() {
        left = true
        request.destroy()
        await ended
      },
    }
  }

  test('clients that send and never read are held back within bounded memory, and others are served', async () => {
    const users = await Promise.all(Array.from({ length: USERS }, newReporter))
    const idle = residentMib()
    const clients = users.flatMap((user, n) =>
      Array.from({ length: OF_USER }, (_, i) =>
        neverReading(user, `mute-${n}-${i}`, 100_000 + (n * OF_USER + i) * GOOD),
      ),
    )
    let [most, slowest, still] = [0, 0, 0]
    for (let [before, n] = [-1, 0]; still < 8; n++) {
      const began = performance.now()
      const { status } = await platform.ask('/api/ingest/v1/entity', {
        type: 'ip',
        attributes: { ip: `11.98.1.${n % 250}` },
      })
      expect(status).toBe(202)
      slowest = Math.max(slowest, performance.now() - began)
      most = Math.max(most, residentMib())
      const written = clients.reduce((sum, client) => sum + client.written(), 0)
      still = written === before ? still + 1 : 0
      before = written
      await sleep(500)
    }
    const written = clients.reduce((sum, client) => sum + client.written(), 0)
    console.log(JSON.stringify({ idle, most, slowest, writtenMib: written / MIB }))
    expect(clients.filter((client) => client.isWhole())).toEqual([])
    expect(most - idle).toBeLessThan(MOST_GROWTH_MIB)
    expect(slowest).toBeLessThan(SLOWEST_MS)

    for (const client of clients) await client.leave()
    // One of them comes back, and reads.
    const again = await eventually(
      () => sendBulk(platform.url, clients[0]!.body(), users[0]!.headers, { 'idempotency-key': 'mute-0-0' }),
      ({ status }) => status === 200,
    )
    expect(again.lines.at(-1)).toEqual({ accepted: GOOD, rejected: WRITES * 100 })
    expect(await counted('mute-0-0', GOOD)).toEqual(times(GOOD))
    // The log had taken the good lines of the others too, each once.
    for (let n = 1; n < clients.length; n += 10) {
      const tag = `mute-${Math.floor(n / OF_USER)}-${n % OF_USER}`
      expect([0, GOOD]).toContain(await reportsInLog(folder, tag))
    }
  }, 240_000)

  test('a body of which no whole line comes for a minute ends with request_timeout', async () => {
    for (const { told, took } of await Promise.all(slow)) {
      expect(told).toEqual([taken(1), refused(2, 'request_timeout')])
      expect(took).toBeGreaterThan(59_000)
      expect(took).toBeLessThan(75_000)
    }
    expect((await counted('slow', 1)).log).toBe(2)
  })
}
