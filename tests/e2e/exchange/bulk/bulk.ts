import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { beforeAll, expect, test } from 'vitest'
import { newUserOf, type User } from '../../../builders/accounts/users.ts'
import { BULK, ipLine, openRequest } from '../../../builders/api/bulk-area.ts'
import { countReports, sendBulk, type Told } from '../../../builders/api/bulk-platform.ts'
import { eventually } from '../../../builders/platform/platform.ts'
import type { Shared } from '../../../builders/platform/shared.ts'

/** Bulk reports on a real platform: what is answered, what is counted, and what a kill leaves behind (decisions 15.1). */
export function bulk(shared: Shared, count: number): void {
  const { platform } = shared
  const CLIENT = fileURLToPath(new URL('../../../clients/bulk/client.py', import.meta.url))
  const LONG_MS = 300_000

  let reporter: User

  beforeAll(async () => {
    reporter = await newUserOf(platform, { roles: ['user', 'reporter'], groups: ['blue'] })
  }, LONG_MS)

  const send = (body: string, headers: Record<string, string> = {}) =>
    sendBulk(platform.url, body, reporter.headers, headers)
  const counted = (tag: string, wanted: number) => countReports(platform, reporter.headers, tag, wanted)

  /** Every fifth line is wrong, in turns. */
  const WRONG = [
    'no JSON',
    '{"type":"ip"}',
    '{"type":"ip","attributes":{"ip":"10.0.0.1"}}',
    ipLine(1, { visibleBy: ['red'] }),
  ]
  const taken = (count / 5) * 4
  const refused = count / 5
  const CODES = ['malformed_json', 'invalid_parameter', 'invalid_parameter', 'forbidden']
  const mixed = (count: number, tag: string, from: number): string[] =>
    Array.from({ length: count }, (_, at) =>
      at % 5 === 4 ? WRONG[Math.floor(at / 5) % 4]! : ipLine(from + at, { reputation: -2, tags: [tag] }),
    )

  test(
    `${count} lines are answered each, bad ones with the fault of a single report, and counted once`,
    async () => {
      const { status, lines } = await send(`${mixed(count, 'mixed', 0).join('\n')}\n`, { 'idempotency-key': 'mixed' })
      expect(status).toBe(200)
      expect(lines).toHaveLength(count + 1)
      expect(lines.at(-1)).toEqual({ accepted: taken, rejected: refused })
      for (const [at, told] of lines.slice(0, -1).entries()) {
        expect(told.line).toBe(at + 1)
        expect(told.error?.code).toBe(at % 5 === 4 ? CODES[Math.floor(at / 5) % 4] : undefined)
      }
      expect(await counted('mixed', taken)).toEqual({ history: taken, entities: taken, log: taken })
    },
    LONG_MS,
  )

  test(
    'a client in Python reads verdicts while it sends',
    async () => {
      const headers = Object.entries(reporter.headers).map(([name, value]) => `${name}=${value}`)
      const printed = await new Promise<string>((resolve, reject) => {
        const child = execFile(
          'python3',
          [CLIENT, platform.url, ...headers],
          { timeout: 120_000 },
          (error, stdout, stderr) => (error === null ? resolve(stdout) : reject(new Error(stderr || error.message))),
        )
        child.stdin!.end(Array.from({ length: 2_000 }, (_, n) => `${ipLine(200_000 + n)}\n`).join(''))
      })
      const lines = printed.trim().split('\n')
      expect(lines.at(-1)).toMatch(/^first verdict after \d+ of 2000 lines$/)
      expect(Number(lines.at(-1)!.split(' ')[3])).toBeLessThanOrEqual(1_000)
      expect(JSON.parse(lines.at(-2)!)).toEqual({ accepted: 2_000, rejected: 0 })
      expect(lines).toHaveLength(2_002)
    },
    LONG_MS,
  )

  test('who may not report is refused before anything is read', async () => {
    const reader = await newUserOf(platform, { roles: ['user'], groups: [] })
    const as = (headers: Record<string, string>) =>
      fetch(platform.url + BULK, {
        method: 'POST',
        headers: { 'content-type': 'application/x-ndjson', ...headers },
        body: ipLine(1),
      })
    expect((await as(reader.headers)).status).toBe(403)
    expect((await as({})).status).toBe(401)
  })

  test(
    'after a connection that was cut and a process that was killed, the same key goes on and nothing counts twice',
    async () => {
      const all = mixed(count, 'killed', 100_000).map((line) => `${line}\n`)
      const key = { 'idempotency-key': 'killed' }
      const [read, cutAt, killedAt] = [0.1, 0.3, 0.7].map((share) => share * count) as [number, number, number]
      const seen: Told[][] = []

      // The connection, in the middle of a line.
      const cut = openRequest(platform.url, { ...reporter.headers, ...key })
      cut.request.write(all.slice(0, cutAt).join('') + all[cutAt]!.slice(0, 9))
      seen.push((await cut.read(read)) as Told[])
      cut.request.destroy()

      // The process, while it takes what follows.
      const begin = () => {
        const opened = openRequest(platform.url, { ...reporter.headers, ...key })
        opened.request.on('error', () => undefined)
        opened.request.write(all.slice(0, killedAt).join(''))
        return opened
      }
      let open = begin()
      await eventually(
        async () => {
          const { statusCode } = await open.answer
          if (statusCode === 409) open = begin()
          return statusCode
        },
        (status) => status === 200,
      )
      const told = open.read(read).catch(() => [])
      await told
      await platform.kill()
      seen.push((await told) as Told[])
      await shared.start()

      const { status, lines } = await send(all.join(''), key)
      expect(status).toBe(200)
      expect(lines.at(-1)).toEqual({ accepted: taken, rejected: refused })
      for (const before of seen) expect(lines.slice(0, before.length)).toEqual(before)
      expect(seen.every(({ length }) => length > 0)).toBe(true)
      const again = await send(all.join(''), key)
      expect(again.lines).toEqual(lines)
      expect(await counted('killed', taken)).toEqual({ history: taken, entities: taken, log: taken })
      expect((await send(all.slice(1).join(''), key)).status).toBe(409)
    },
    LONG_MS,
  )
}
