import { beforeAll, expect, test } from 'vitest'
import { logMatchSettings } from '../../../../connectors/operations/match-settings/settings.ts'
import { customerGroup } from '../../../../schemas/accounts/accounts.ts'
import { newUserOf, type User } from '../../../builders/accounts/users.ts'
import { command } from '../../../builders/platform/command.ts'
import { logOf } from '../../../builders/platform/data-folder.ts'
import { eventually } from '../../../builders/platform/platform.ts'
import type { Shared } from '../../../builders/platform/shared.ts'

/** Lines a minute of a user without a customer: a limit that a test reaches. */
const LINES = 2_000

/** The tiers that this part needs. */
export const TELEMETRY_TIERS = { Public: { 'match-api': { events_per_minute: { value: LINES } } } }

/** Telemetry over REST as far as the log: who sends it, what is refused, and who may read and choose (decisions 14). */
export function events(shared: Shared): void {
  const { folder, platform } = shared
  const MATCH = '/api/match/v1'
  const ADDRESS = { street: '1 Main St', city: 'Springfield', state: 'IL', postalCode: '62701', country: 'US' }
  const MIB = 1024 * 1024
  const DAY = 86_400_000

  /** Members of one customer; the first is in `blue` too. */
  let analyst: User
  let colleague: User
  let stranger: User
  let customerId: string

  beforeAll(async () => {
    analyst = await newUserOf(platform, { roles: ['user'], groups: ['blue'] })
    colleague = await newUserOf(platform, { roles: ['user'], groups: [] })
    stranger = await newUserOf(platform, { roles: ['user'], groups: [] })
    customerId = await customer(analyst, 'Acme')
    await customer(stranger, 'Other')
    const member = { userID: colleague.id, role: 'user' }
    const joined = await platform.ask('/api/billing/v1/customer/member', member, analyst.headers)
    expect(joined.status).toBeLessThan(300)
    expect((await platform.ask('/api/billing/v1/customer/accept', {}, colleague.headers)).status).toBe(204)
  }, 180_000)

  async function customer(owner: User, name: string): Promise<string> {
    const body = { name, email: `${name}@example.com`, billingAddress: ADDRESS }
    const made = await platform.ask('/api/billing/v1/customer', body, owner.headers)
    expect(made.status).toBe(201)
    return made.body.id ?? made.body.customerID
  }

  async function ask(as: User | null, method: string, path: string, body?: string | object, type = 'application/json') {
    const response = await fetch(platform.url + path, {
      method,
      headers: { ...as?.headers, ...(body === undefined ? {} : { 'content-type': type }) },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    const json = response.headers.get('content-type')?.startsWith('application/json')
    return { status: response.status, body: json ? JSON.parse(text) : null, text, headers: response.headers }
  }

  async function send(as: User | null, lines: string) {
    const answer = await ask(as, 'POST', `${MATCH}/events`, lines, 'application/x-ndjson')
    const told = answer.status === 202 ? answer.text.split('\n').filter((line) => line !== '') : []
    return { ...answer, lines: told.map((line) => JSON.parse(line)) }
  }

  const line = (given: object = {}) =>
    JSON.stringify({ at: Date.now(), kind: 'dns', fields: { query: 'login.example.com' }, ...given })

  test('before anything was sent, settings are by default, and there are no matches', async () => {
    const groups = [customerGroup(customerId), 'public'].sort()
    expect((await ask(analyst, 'GET', `${MATCH}/settings`)).body).toEqual({
      selector: { reputation: { lte: -1 }, accuracy: { gte: 1 }, wellKnown: false },
      groups,
      retentionDays: 30,
      sightings: null,
      default: true,
    })
    const matches = await ask(analyst, 'GET', `${MATCH}/matches`)
    expect([matches.status, matches.body]).toEqual([200, { items: [], cursor: null, more: false }])
    const seen = await ask(analyst, 'GET', `${MATCH}/seen?value=login.example.com`)
    expect([seen.status, seen.body]).toMatchObject([200, { count: 0, rows: 0, items: [] }])
  })

  test('every line of a body is answered, whatever the others are', async () => {
    const long = line().padEnd(MIB, ' ')
    const values = (n: number) => line({ fields: { answers: Array.from({ length: n }, (_, i) => `192.0.2.${i}`) } })
    const body = [
      line({ id: 'one' }),
      '',
      'no JSON',
      long,
      `${long} `,
      values(32),
      values(33),
      line({ at: Date.now() + 4 * 60_000 }),
      line({ at: Date.now() + 6 * 60_000 }),
      line({ at: Date.now() - 29 * DAY }),
      line({ at: Date.now() - 31 * DAY }),
      line({ fields: {} }),
      line({ id: 'one' }),
    ].join('\n')
    const { status, lines } = await send(analyst, body)
    expect(status).toBe(202)
    const faults = lines.map(({ line: at, error }) => [at, error === undefined ? null : (error.param ?? error.code)])
    expect(faults).toEqual([
      [1, null],
      [3, 'malformed_json'],
      [4, null],
      [5, 'body_too_large'],
      [6, null],
      [7, 'fields'],
      [8, null],
      [9, 'at'],
      [10, null],
      [11, 'at'],
      [12, 'fields'],
      [13, null],
    ])
    expect(lines[0]).toEqual({ line: 1, id: 'one' })
  })

  test('a body that is none is refused whole', async () => {
    const events = `${MATCH}/events`
    expect(await send(null, line())).toMatchObject({ status: 401 })
    const reporter = await newUserOf(platform, { roles: ['reporter'], groups: [] })
    expect(await send(reporter, line())).toMatchObject({ status: 403 })
    expect(await send(analyst, '')).toMatchObject({ status: 400, body: { error: { code: 'malformed_json' } } })
    expect(await ask(analyst, 'POST', events, line())).toMatchObject({ status: 415 })
    expect(await send(analyst, line().padEnd(16 * MIB + 1, '\n'))).toMatchObject({ status: 413 })
    expect((await send(analyst, line().padEnd(16 * MIB, '\n'))).lines.length).toBe(1)
  })

  test('past the limit a body is refused whole and takes nothing', async () => {
    const alone = await newUserOf(platform, { roles: ['user'], groups: [] })
    // A minute may end between two of them.
    const tries = async () => {
      const sent = ['x\n'.repeat(LINES + 1), 'x\n'.repeat(LINES - 1), 'x\nx', line(), line()]
      const told: number[] = []
      for (const lines of sent) told.push((await send(alone, lines)).status)
      return told
    }
    await eventually(tries, (told) => told.join() === '429,202,429,202,429', 70_000)
  }, 80_000)

  test('settings are read and changed by whoever is of the owner and in all of their groups', async () => {
    const path = `${MATCH}/settings`
    const own = customerGroup(customerId)
    const body = {
      selector: { types: ['domain'] },
      groups: ['blue', own],
      retentionDays: 60,
      sightings: { groups: [own] },
    }
    const foreign = await ask(colleague, 'PUT', path, body)
    expect(foreign).toMatchObject({ status: 403, body: { error: { param: 'groups[0]' } } })
    const made = await ask(analyst, 'PUT', path, body)
    expect(made).toMatchObject({ status: 200, body: { retentionDays: 60, groups: ['blue', own].sort() } })
    expect((await ask(analyst, 'GET', path)).body).toEqual(made.body)
    for (const [method, at, given] of [
      ['GET', path],
      ['PUT', path, { selector: {} }],
      ['GET', `${MATCH}/matches`],
      ['GET', `${MATCH}/seen?value=login.example.com`],
    ] as const)
      expect((await ask(colleague, method, at, given)).status).toBe(404)
    // Another customer has settings of its own.
    expect((await ask(stranger, 'GET', path)).body).toMatchObject({ default: true, retentionDays: 30 })
    expect((await send(colleague, line({ at: Date.now() - 59 * DAY }))).lines).toMatchObject([
      { id: expect.any(String) },
    ])
    expect((await ask(analyst, 'PUT', path, { selector: {}, retentionDays: 91 })).status).toBe(400)
  })

  test('a cursor that nobody was given is refused', async () => {
    const answer = await ask(stranger, 'GET', `${MATCH}/matches?cursor=${'A'.repeat(80)}`)
    expect(answer).toMatchObject({ status: 400, body: { error: { code: 'bad_cursor', param: 'cursor' } } })
  })

  test('a producer is registered for the telemetry of one owner', async () => {
    const owner = `customer:${customerId}`
    const bad = await command(folder, 'feed', 'register', 'sensors', '--trust', '0.5', '--owner', 'customer:me')
    expect([bad.code, bad.stderr]).toEqual([2, expect.stringContaining('owner "customer:me"')])
    expect((await command(folder, 'feed', 'register', 'sensors', '--trust', '0.5', '--owner', owner)).code).toBe(0)
    expect((await command(folder, 'feed', 'register', 'plain', '--trust', '0.5')).code).toBe(0)
    const listed = (await command(folder, 'feed', 'list', '--json')).stdout.trim().split('\n')
    const owners = Object.fromEntries(listed.map((one) => JSON.parse(one)).map((one) => [one.name, one.owner]))
    expect(owners).toMatchObject({ sensors: owner, plain: null })
    expect((await command(folder, 'feed', 'list')).stdout).toMatch(new RegExp(`sensors .*${owner}`))
  })

  test('settings outlive a restart, and end with their customer', async () => {
    await platform.stop()
    await shared.start()
    expect((await ask(analyst, 'GET', `${MATCH}/settings`)).body).toMatchObject({ retentionDays: 60 })
    const log = await logOf(folder)
    const table = logMatchSettings(log)
    await table.refresh()
    expect(table.get(`customer:${customerId}`)).toMatchObject({ retentionDays: 60 })
    expect((await ask(analyst, 'DELETE', '/api/billing/v1/customer')).status).toBe(204)
    await eventually(
      async () => {
        await table.refresh()
        return table.get(`customer:${customerId}`)
      },
      (settings) => settings === undefined,
    )
    await log.close()
    expect((await ask(analyst, 'GET', `${MATCH}/settings`)).body).toMatchObject({
      default: true,
      groups: ['blue', 'public'],
    })
  })
}
