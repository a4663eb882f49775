import { expect, test } from 'vitest'
import { kyselyAccounts } from '../../../../../connectors/postgres/accounts/users/account-store.ts'
import { memoryDatabase } from '../../../../builders/accounts/database/memory-database.ts'
import { type Person, person } from '../../../../builders/accounts/people.ts'
import { asAdmin, errorOf, startApi } from '../../../../builders/api/api.ts'
import { append } from '../../../../builders/lifecycle/events.ts'
import { scansOver } from '../../../../builders/scans/scans.ts'
import { during, prepared } from '../../../../builders/suite/during.ts'

const NOW = 1_800_000_000_000
const HOOK = 'https://hooks.example.com/scan'

const database = during(memoryDatabase)
const accounts = prepared(() => ({ ...kyselyAccounts(database.db, append), close: async () => undefined }))
const api = during(() => startApi({ accounts, scans: scansOver(database.db), now: () => NOW }))
const blue = prepared(() => person(accounts, { roles: ['user'], groups: ['blue', 'red'] }))
const trusted = prepared(() => person(accounts, { roles: ['user', 'trusted'], groups: ['public'] }))
const groupless = prepared(() => person(accounts, { roles: ['user'], groups: [] }))

const ask = (path: string, headers: Record<string, string>, body?: unknown) =>
  fetch(`${api.url}/api/ingest/v1/${path}`, {
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    headers: { 'content-type': 'application/json', ...headers },
  })
// biome-ignore lint/suspicious/noExplicitAny: an answer is what a test looks into
const posted = async (who: Person, body: unknown): Promise<{ status: number; body: any }> => {
  const response = await ask('scan', who.headers, body)
  return { status: response.status, body: await response.json() }
}
const row = (id: string) =>
  database.db.selectFrom('scan_tasks').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

test('a scan is asked for in the name and for the groups of its user', async () => {
  const first = await posted(blue, { target: 'WWW.Example.COM.' })
  expect(first).toEqual({
    status: 202,
    body: { id: expect.any(String), taskId: first.body.id, status: 'new', message: 'the scan is accepted' },
  })
  expect(await row(first.body.id)).toMatchObject({
    user_id: blue.id,
    account_id: blue.id,
    source: blue.id,
    trust: 0.6,
    audience: ['blue', 'red'],
    target: 'www.example.com',
    kind: 'domain',
    priority: 'user',
    webhook_url: null,
  })
  const more = await posted(trusted, { target: 'www.example.com' })
  expect(more.status).toBe(202)
  expect(await row(more.body.id)).toMatchObject({ trust: 0.9, audience: ['public'] })
  const administrators = await ask('scan', asAdmin, { target: 'www.example.com' })
  expect(administrators.status).toBe(202)
  expect(await row(((await administrators.json()) as { id: string }).id)).toMatchObject({ account_id: null })
})

test('a request may say what its target is', async () => {
  const own = await person(accounts, { roles: ['user'], groups: ['blue'] })
  for (const [target, type] of [
    ['8.8.8.8', 'ip'],
    ['2001:4860:4860::8888', 'ip'],
    ['www.example.org', 'fqdn'],
  ]) {
    expect((await posted(own, { target, type })).status).toBe(202)
    expect((await posted(own, { target })).status).toBe(200)
  }
})

test('of many who ask at once for one target one makes the task; the secret of its webhook is told once', async () => {
  const webhook = { url: `${HOOK}#part`, headers: [{ key: 'authorization', value: 'Bearer 1' }] }
  const all = await Promise.all(
    Array.from({ length: 20 }, (_, i) =>
      posted(blue, { target: '8.8.8.8', webhook: { ...webhook, url: `${webhook.url}${i}` } }),
    ),
  )
  const made = all.filter(({ status }) => status === 202)
  expect([made.length, all.filter(({ status }) => status === 200).length]).toEqual([1, 19])
  expect(new Set(all.map(({ body }) => body.id)).size).toBe(1)
  expect(all.filter(({ body }) => 'webhookSecret' in body)).toEqual(made)
  const stored = await row(made[0]!.body.id)
  expect(stored).toMatchObject({ webhook_url: HOOK, webhook_secret: made[0]!.body.webhookSecret })
  const shown = await (await ask(`scan/${stored.id}`, blue.headers)).json()
  expect(shown).toEqual({
    taskId: stored.id,
    message: 'the scan is accepted',
    id: stored.id,
    target: '8.8.8.8',
    status: 'new',
    priority: 'user',
    createdAt: new Date(NOW).toISOString(),
    startedAt: null,
    finishedAt: null,
    retries: 0,
    entities: 0,
    error: null,
    webhook: { url: HOOK, state: 'pending' },
  })
  for (const [path, headers] of [
    [`scan/${stored.id}`, trusted.headers],
    [`scan/${crypto.randomUUID()}`, blue.headers],
  ] as const) {
    const foreign = await ask(path, headers)
    expect([foreign.status, (await errorOf(foreign)).message]).toEqual([404, 'no such scan'])
  }
  const retry = await ask(`admin/scans/${stored.id}/retry`, asAdmin, {})
  expect([retry.status, (await errorOf(retry)).code]).toEqual([409, 'conflict'])
})

const refusals: [body: unknown, param: string | undefined][] = [
  [{}, 'target'],
  [{ target: '127.0.0.1' }, 'target'],
  [{ target: '169.254.169.254' }, 'target'],
  [{ target: '::ffff:10.0.0.1' }, 'target'],
  [{ target: 'localhost' }, 'target'],
  [{ target: 'printer.local' }, 'target'],
  [{ target: 'https://example.com' }, 'target'],
  [{ target: 'a'.repeat(2_000) }, 'target'],
  [{ target: ['8.8.8.8'] }, 'target'],
  [{ target: '8.8.8.8', priority: 'automatic' }, 'priority'],
  [{ target: '8.8.8.8', type: 'domain' }, 'type'],
  [{ target: '8.8.8.8', type: 'fqdn' }, 'type'],
  [{ target: 'www.example.com', type: 'ip' }, 'type'],
  [{ target: '8.8.8.8', webhook: { url: 'not a url' } }, 'webhook.url'],
  [{ target: '8.8.8.8', webhook: { url: 'http://127.0.0.1/' } }, 'webhook.url'],
  [{ target: '8.8.8.8', webhook: { url: 'http://169.254.169.254/latest' } }, 'webhook.url'],
  [{ target: '8.8.8.8', webhook: { headers: [] } }, 'webhook.url'],
  [{ target: '8.8.8.8', webhook: HOOK }, 'webhook'],
  [{ target: '8.8.8.8', webhook: { url: HOOK, headers: { a: 'b' } } }, 'webhook.headers'],
  [{ target: '8.8.8.8', webhook: { url: HOOK, headers: [{ key: 'Host', value: 'x' }] } }, 'webhook.headers[0].key'],
  [
    { target: '8.8.8.8', webhook: { url: HOOK, headers: [{ key: 'a', value: 'b\r\nc: d' }] } },
    'webhook.headers[0].value',
  ],
  [{ target: '8.8.8.8', webhook: { url: HOOK, secret: 'mine' } }, 'webhook.secret'],
]
for (const [body, param] of refusals)
  test(`refused, and ${param} named: ${JSON.stringify(body).slice(0, 100)}`, async () => {
    const response = await ask('scan', blue.headers, body)
    expect([response.status, (await errorOf(response)).param]).toEqual([400, param])
  })

test('a user in no group has nobody to show findings to', async () => {
  const response = await ask('scan', groupless.headers, { target: '8.8.4.4' })
  expect([response.status, (await errorOf(response)).param]).toEqual([400, 'visibleBy'])
})

test('a user lists its own scans and no others, newest first', async () => {
  const own = await person(accounts, { roles: ['user'], groups: ['blue', 'red'] })
  const list = async (query = '', headers: Record<string, string> = own.headers) => {
    const response = await ask(`scans?${query}`, headers)
    return { status: response.status, body: (await response.json()) as { items: number; results: object[] } }
  }
  expect(await list()).toEqual({ status: 200, body: { items: 0, pages: 0, results: [] } })
  const first = await posted(own, { target: '8.8.8.8' })
  const second = await posted(own, { target: '8.8.4.4' })
  const ids = [first.body.id, second.body.id].sort().reverse()
  const { body } = await list()
  expect(body).toMatchObject({ items: 2, pages: 1, results: ids.map((id) => ({ id, status: 'new' })) })
  expect(body.results[0]).toEqual(await (await ask(`scan/${ids[0]}`, own.headers)).json())
  expect((await list('limit=1&page=2')).body).toMatchObject({ items: 2, pages: 2, results: [{ id: ids[1] }] })
  expect((await list('status=done')).body).toMatchObject({ items: 0, results: [] })
  expect((await list('', asAdmin)).body.results).not.toContainEqual(expect.objectContaining({ id: ids[0] }))
  for (const bad of ['status=over', 'priority=user', 'limit=101', 'page=0', `userID=${blue.id}`])
    expect([bad, (await list(bad)).status]).toEqual([bad, 400])
})

test('administrators list by state and priority; what is no state is refused', async () => {
  const list = async (query: string) => {
    const response = await ask(`admin/scans?${query}`, asAdmin)
    return [response.status, ((await response.json()) as { items?: number }).items]
  }
  expect(await list('status=done')).toEqual([200, 0])
  expect((await list('status=new&priority=user&limit=1'))[0]).toBe(200)
  for (const query of ['status=over', 'priority=high', 'limit=101', 'page=0', 'user=1'])
    expect(await list(query)).toEqual([400, undefined])
})
