import { beforeAll, expect, test } from 'vitest'
import { newSubscriber } from '../../../bench/parts/subscriber.ts'
import { newUserOf, type User } from '../../../builders/accounts/users.ts'
import { ipLine, openRequest } from '../../../builders/api/bulk-area.ts'
import { countReports, reportsInLog, sendBulk, type Told } from '../../../builders/api/bulk-platform.ts'
import { ADMINISTRATOR, eventually } from '../../../builders/platform/platform.ts'
import type { Shared } from '../../../builders/platform/shared.ts'

const LINES = 50
const SINGLE = 3

/** The tiers that this part needs. */
export const CALLER_TIERS = {
  Enterprise: { 'ingest-api': { bulk_lines_per_minute: { value: LINES }, entity_per_minute: { value: SINGLE } } },
}

/** What a caller may: how many lines, and how long after its rights are gone (decisions 15.1). */
export function bulkCaller(shared: Shared): void {
  const { platform } = shared
  /** Rights are looked at every 5 s, and remembered for one; the rest is for a busy machine. */
  const TAKES_EFFECT_MS = 10_000
  const SINGLE_REPORT = '/api/ingest/v1/entity'

  let reader: User

  beforeAll(async () => {
    reader = await newUserOf(platform, { roles: ['user'], groups: ['blue'] })
  }, 240_000)

  const body = (count: number, from: number, tag: string): string =>
    Array.from({ length: count }, (_, n) => `${ipLine(from + n, { tags: [tag] })}\n`).join('')
  const minute = (): number => Math.floor(Date.now() / 60_000)

  /** A caller of the limited tier sends two bodies and reports beside them, all in one minute of the limit. */
  async function limitedCaller() {
    for (let turn = 0; ; turn++) {
      const began = minute()
      const { headers } = await newSubscriber(platform, { roles: ['user', 'reporter'], groups: ['blue'] })
      const [taken, refused] = [`taken-${turn}`, `refused-${turn}`]
      const report = () => platform.ask(SINGLE_REPORT, { type: 'ip', attributes: { ip: '11.99.0.1' } }, headers)
      const before = await report()
      const first = await sendBulk(platform.url, body(4 * LINES, turn * 1_000, taken), headers)
      const second = await sendBulk(platform.url, body(9, turn * 1_000 + 500, refused), headers)
      const after = await report()
      if (minute() === began) return { first, second, before, after, taken, refused, headers }
    }
  }

  test('lines beyond the limit are refused each, and once nothing is left the request is', async () => {
    const { first, second, before, after, taken, refused, headers } = await limitedCaller()
    expect(first.status).toBe(200)
    expect(first.lines.at(-1)).toEqual({ accepted: LINES, rejected: 3 * LINES })
    const refusal = { code: 'rate_limit_exceeded', message: 'rate limit exceeded' }
    for (const [at, told] of first.lines.slice(0, -1).entries())
      expect(told).toEqual({ line: at + 1, ...(at < LINES ? { id: expect.any(String) } : { error: refusal }) })
    expect(second).toMatchObject({ status: 429, lines: [] })
    expect(JSON.parse(second.text).error.code).toBe('rate_limited')
    expect(Number(second.headers.get('retry-after'))).toBeGreaterThan(0)

    expect([before.status, after.status]).toEqual([202, 202])
    const left = [before, after].map((answer) => answer.headers.get('ratelimit-remaining'))
    expect(left).toEqual([String(SINGLE - 1), String(SINGLE - 2)])
    expect(await countReports(platform, headers, taken, LINES)).toEqual({ history: LINES, entities: LINES, log: LINES })
    expect(await reportsInLog(platform.dataDir, refused)).toBe(0)
  }, 240_000)

  async function change(method: string, path: string, given?: object): Promise<void> {
    const headers = { 'content-type': 'application/json', ...ADMINISTRATOR }
    const sent = given === undefined ? { method, headers } : { method, headers, body: JSON.stringify(given) }
    const { status } = await fetch(platform.url + path, sent)
    expect([200, 204]).toContain(status)
  }

  const user = ({ id }: User): string => `/auth/v2/admin/user/${id}`
  const losses: { what: string; code: string; lose: (caller: User) => Promise<void> }[] = [
    {
      what: 'key pair',
      code: 'unauthorized',
      async lose({ headers }) {
        const { body } = await platform.ask('/auth/v2/keypair', undefined, headers)
        await change('DELETE', `/auth/v2/admin/keypair/${body.keyID}`)
      },
    },
    { what: 'account', code: 'unauthorized', lose: (caller) => change('DELETE', user(caller)) },
    { what: 'enabled', code: 'unauthorized', lose: (caller) => change('PUT', `${user(caller)}/disable`) },
    { what: 'role', code: 'forbidden', lose: (caller) => change('DELETE', `${user(caller)}/roles/reporter`) },
    { what: 'group', code: 'forbidden', lose: (caller) => change('PUT', user(caller), { groups: ['public'] }) },
  ]

  /** A caller that loses what it needs while it sends a line now and then. */
  async function losing(n: number) {
    const { what, lose } = losses[n]!
    const caller = await newUserOf(platform, { roles: ['user', 'reporter'], groups: ['blue', 'public'] })
    const tag = `lost-${n}`
    const key = { 'idempotency-key': tag }
    const { request, read } = openRequest(platform.url, { ...caller.headers, ...key })
    request.on('error', () => undefined)
    const sent: string[] = []
    const sending = setInterval(() => {
      sent.push(`${ipLine(50_000 + n * 1_000 + sent.length, { tags: [tag], visibleBy: ['blue'] })}\n`)
      request.write(sent.at(-1))
    }, 100)
    try {
      await read(5)
      await lose(caller)
      const began = performance.now()
      const told = (await read(Number.POSITIVE_INFINITY)) as Told[]
      return { what, caller, key, tag, sent, told, took: performance.now() - began }
    } finally {
      clearInterval(sending)
      request.destroy()
    }
  }

  test('a caller that loses its key, account, role or group is told so within seconds, and what it was told before counts once', async () => {
    const all = await Promise.all(losses.map((_, n) => losing(n)))
    for (const [n, { what, tag, told, took }] of all.entries()) {
      const taken = told.length - 1
      expect([what, told.at(-1)!.line, told.at(-1)!.error?.code]).toEqual([what, taken + 1, losses[n]!.code])
      expect(told.slice(0, -1).every(({ id }) => id !== undefined)).toBe(true)
      expect(took).toBeLessThan(TAKES_EFFECT_MS)
      const counts = await countReports(platform, reader.headers, tag, taken)
      expect([what, counts]).toEqual([what, { history: taken, entities: taken, log: taken }])
    }
    // Who may report again sends the body again: the same answers, and the rest.
    const { caller, key, tag, sent, told } = all[3]!
    await change('PUT', user(caller), { roles: ['user', 'reporter'] })
    const again = await eventually(
      () => sendBulk(platform.url, sent.join(''), caller.headers, key),
      ({ status }) => status === 200,
    )
    expect(again.lines.slice(0, told.length - 1)).toEqual(told.slice(0, -1))
    expect(again.lines.at(-1)).toEqual({ accepted: sent.length, rejected: 0 })
    const counts = await countReports(platform, reader.headers, tag, sent.length)
    expect(counts).toEqual({ history: sent.length, entities: sent.length, log: sent.length })
  }, 180_000)
}
