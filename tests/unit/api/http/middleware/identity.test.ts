import { createHash, randomUUID } from 'node:crypto'
import { Writable } from 'node:stream'
import pino from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cachedAccounts } from '../../../../../connectors/postgres/accounts/users/credential-cache.ts'
import type { Accounts } from '../../../../../connectors/postgres/accounts/users/port.ts'
import { UNBOUNDED } from '../../../../../schemas/accounts/key-bounds.ts'
import { memoryAccounts } from '../../../../builders/accounts/database/memory-database.ts'
import { type Person, person } from '../../../../builders/accounts/people.ts'
import { ADMIN, asAdmin, errorOf, type RunningApi, startApi } from '../../../../builders/api/api.ts'
import { append, cause } from '../../../../builders/lifecycle/events.ts'
import { type MemoryLog, memoryLog } from '../../../../builders/log/memory-log.ts'
import { observationsIn } from '../../../../builders/log/sent-observations.ts'

let accounts: Accounts
let api: RunningApi
let reporter: Person
const log: MemoryLog = memoryLog()
const lines: string[] = []
let now = 1_800_000_000_000

beforeAll(async () => {
  accounts = cachedAccounts(await memoryAccounts(append), () => now)
  const sink = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk))
      done()
    },
  })
  api = await startApi({ accounts, log, now: () => now, logger: pino({ level: 'trace' }, sink) })
  reporter = await person(accounts, { roles: ['reporter'], groups: ['red'] })
})
afterAll(async () => {
  await api?.close()
  await accounts?.close()
})

const definitions = (headers: Record<string, string>) => fetch(`${api.url}/api/ingest/v1/definitions`, { headers })

const report = (headers: Record<string, string>, body: object = { type: 'ip', attributes: { ip: '8.8.8.8' } }) =>
  fetch(`${api.url}/api/ingest/v1/entity`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

async function session(userId: string, given: { verified?: boolean; expiresAt?: number } = {}): Promise<string> {
  const token = randomUUID()
  await accounts.createSession({
    id: randomUUID(),
    userId,
    tokenHash: createHash('sha256').update(token).digest(),
    verified: true,
    kind: '',
    expiresAt: now + 60_000,
    createdAt: now,
    ...given,
  })
  return token
}

test('a key pair and a verified session identify their user', async () => {
  expect((await definitions(reporter.headers)).status).toBe(200)
  expect((await definitions(bearer(await session(reporter.id)))).status).toBe(200)
})

test('whatever is wrong with credentials, the answer is the same 401', async () => {
  const { 'api-key': key, 'api-secret': secret } = reporter.headers
  const wrong: Record<string, Record<string, string>> = {
    'unknown key': { 'api-key': randomUUID(), 'api-secret': secret },
    'wrong secret': { 'api-key': key, 'api-secret': 'guess' },
    'secret of the administrator': { 'api-key': key, 'api-secret': ADMIN.secret },
    'wrong secret of the administrator': { 'api-key': ADMIN.key, 'api-secret': secret },
    'empty pair': { 'api-key': '', 'api-secret': '' },
    'very long key': { 'api-key': 'k'.repeat(4000), 'api-secret': secret },
    'unknown bearer': bearer(randomUUID()),
    'another scheme': { authorization: `Basic ${btoa(`${key}:${secret}`)}` },
    'bearer without a token': { authorization: 'Bearer' },
    'expired session': bearer(await session(reporter.id, { expiresAt: now })),
    'unverified session': bearer(await session(reporter.id, { verified: false })),
  }
  for (const [name, headers] of Object.entries(wrong)) {
    const response = await definitions(headers)
    expect(response.status, name).toBe(401)
    expect(await errorOf(response), name).toMatchObject({
      code: 'unauthorized',
      message: 'missing or invalid credentials',
    })
  }
})

test('half a pair and both kinds at once are 401, even when each is right', async () => {
  const { 'api-key': key, 'api-secret': secret } = reporter.headers
  const token = bearer(await session(reporter.id))
  for (const headers of [{ 'api-key': key }, { 'api-secret': secret }, { ...token, ...reporter.headers }]) {
    expect((await definitions(headers as Record<string, string>)).status).toBe(401)
  }
  expect((await definitions({ ...token, 'api-key': key })).status).toBe(401)
})

test('a key pair ends with its time', async () => {
  const user = await person(accounts, { roles: ['reporter'] })
  const pair = { id: randomUUID(), userId: user.id, name: 'short', apiKey: randomUUID(), createdAt: now }
  const secretHash = createHash('sha256').update('short').digest()
  await accounts.createKeyPair({ ...pair, secretHash, bounds: UNBOUNDED, expiresAt: now + 500 })
  const headers = { 'api-key': pair.apiKey, 'api-secret': 'short' }
  expect((await definitions(headers)).status).toBe(200)
  now += 500
  expect((await definitions(headers)).status).toBe(401)
})

test('a change of groups and a disabling act on the next request', async () => {
  const user = await person(accounts, { roles: ['reporter'], groups: ['red'] })
  const body = { type: 'ip', attributes: { ip: '8.8.8.8' }, visibleBy: ['blue'] }
  expect((await report(user.headers, body)).status).toBe(403)
  await accounts.updateUser(user.id, { groups: ['blue'] }, cause())
  expect((await report(user.headers, body)).status).toBe(202)
  await accounts.updateUser(user.id, { disabled: true }, cause())
  expect((await report(user.headers, body)).status).toBe(401)
})

test('user-id and groups headers of a client count for nothing, in whatever case', async () => {
  const admin = '00000000-0000-4000-8000-000000000001'
  for (const spoofed of [
    { 'user-id': admin, groups: 'blue' },
    { 'USER-ID': admin, GROUPS: 'blue,public' },
    { 'User-Id': `${admin}, ${admin}`, Groups: '["blue"]' },
  ] as Record<string, string>[]) {
    expect((await definitions(spoofed)).status).toBe(401)
    log.sends.length = 0
    expect((await report({ ...spoofed, ...reporter.headers })).status).toBe(202)
    expect(observationsIn(log)).toMatchObject([{ userId: reporter.id, source: reporter.id, audience: ['red'] }])
    const foreign = { type: 'ip', attributes: { ip: '8.8.8.8' }, visibleBy: ['blue'] }
    expect((await report({ ...spoofed, ...reporter.headers }, foreign)).status).toBe(403)
  }
})

test('no secret is in any log line or metric', async () => {
  await definitions(reporter.headers)
  await definitions({ ...reporter.headers, 'api-secret': 'canary-wrong-secret' })
  await definitions(bearer('canary-token'))
  const metrics = await (await fetch(`${api.url}/metrics`, { headers: asAdmin })).text()
  expect(lines.length).toBeGreaterThan(10)
  for (const secret of [reporter.headers['api-secret'], 'canary-wrong-secret', 'canary-token', ADMIN.secret]) {
    expect(lines.join('')).not.toContain(secret)
    expect(metrics).not.toContain(secret)
  }
})
