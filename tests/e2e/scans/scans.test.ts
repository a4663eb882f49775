/** A scan on the running platform: asked for over HTTP, seen by its webhook, found by search. */

import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newUserOf, type User } from '../../builders/accounts/users.ts'
import { type Receiver, receiver } from '../../builders/network/receiver.ts'
import { metricsOf } from '../../builders/platform/metrics.ts'
import { ADMINISTRATOR, eventually, type Platform, startPlatform } from '../../builders/platform/platform.ts'
import { verify } from '../../builders/scans/webhooks.ts'
import { ownFolder } from '../../builders/suite/own-folder.ts'

const dataDir = ownFolder()
const BANNER = 'SSH-2.0-OpenSSH_9.2p1 harrier'
const SCAN = '/api/ingest/v1/scan'
const greeting = createServer((socket) => {
  socket.on('error', () => undefined)
  socket.end(`${BANNER}\r\n`)
})
let platform: Platform
let hook: Receiver
let blue: User
let red: User

beforeAll(async () => {
  greeting.listen(0, '127.0.0.1')
  await once(greeting, 'listening')
  hook = await receiver((response) => response.end())
  platform = await startPlatform(dataDir, {
    HARRIER_SCAN_ALLOW_PRIVATE: 'true',
    HARRIER_WEBHOOK_ALLOW_PRIVATE: 'true',
    HARRIER_SCAN_PORTS: String((greeting.address() as AddressInfo).port),
  })
  blue = await newUserOf(platform, { roles: ['user'], groups: ['blue'] })
  red = await newUserOf(platform, { roles: ['user'], groups: ['red'] })
})
afterAll(async () => {
  expect(await platform?.stop()).toBe(0)
  await hook?.close()
  greeting.close()
})

const shown = async (id: string, as = blue.headers) => platform.ask(`${SCAN}/${id}`, undefined, as)
const TASK = ['id', 'status', 'taskId', 'message']

const done = (id: string, as = blue.headers) =>
  eventually(
    () => shown(id, as),
    ({ body }) => body.status === 'done' && (body.webhook === null || body.webhook.state === 'delivered'),
  )

test('what a scan finds is found by whoever asked, the webhook hears once, and the same target is the same task', async () => {
  const webhook = { url: hook.url, headers: [{ key: 'authorization', value: 'Bearer abc' }] }
  const asked = await platform.ask(SCAN, { target: ' 127.0.0.1', webhook }, blue.headers)
  expect(asked).toMatchObject({ status: 202, body: { status: 'new', webhookSecret: expect.stringMatching(/^.{43}$/) } })
  const { id, webhookSecret } = asked.body
  const again = await platform.ask(SCAN, { target: '::ffff:127.0.0.1', webhook }, blue.headers)
  expect([again.status, Object.keys(again.body), again.body.id]).toEqual([200, TASK, id])

  const { body } = await done(id)
  expect(body).toEqual({
    taskId: id,
    message: 'the scan is done',
    id,
    target: '127.0.0.1',
    status: 'done',
    priority: 'user',
    retries: 0,
    error: null,
    createdAt: expect.any(String),
    startedAt: expect.any(String),
    finishedAt: expect.any(String),
    entities: expect.any(Number),
    webhook: { url: hook.url, state: 'delivered' },
  })
  expect(body.entities).toBeGreaterThan(0)
  expect(hook.received).toHaveLength(1)
  const [told] = hook.received
  expect(JSON.parse(told!.body.toString())).toEqual({
    id,
    target: '127.0.0.1',
    status: 'done',
    entities: body.entities,
    startedAt: body.startedAt,
    finishedAt: body.finishedAt,
  })
  expect(told!.headers.authorization).toBe('Bearer abc')
  expect(verify(webhookSecret, told!.headers['x-harrier-signature'] as string, told!.body, told!.at / 1000)).toBe(true)

  const search = (as: User) => platform.ask('/api/search/v1/entities/history/simple', { query: BANNER }, as.headers)
  const found = await eventually(
    () => search(blue),
    ({ status }) => status === 200,
  )
  expect(found.body.items).toBe(1)
  expect(found.body.results[0]).toMatchObject({
    userID: blue.id,
    visibleBy: ['blue'],
    reputation: 0,
    '@timestamp': body.startedAt,
    attributes: expect.objectContaining({ 'ssh-banner': expect.stringMatching(/openssh/i) }),
  })
  expect((await search(red)).status).toBe(404)
})

test('a task is its owner’s alone, and administrators see and repeat every one', async () => {
  const asked = await platform.ask(SCAN, { target: '127.0.0.2' }, red.headers)
  expect([asked.status, Object.keys(asked.body)]).toEqual([202, TASK])
  const { id } = asked.body
  await done(id, red.headers)
  expect((await shown(id)).status).toBe(404)
  const admin = (path: string, body?: object) => platform.ask(`/api/ingest/v1/admin/scans${path}`, body, ADMINISTRATOR)
  expect((await admin(`/${id}`)).body).toMatchObject({ id, userID: red.id, status: 'done' })
  const list = await admin('?status=done&priority=user&limit=1')
  expect(list.body).toMatchObject({ pages: list.body.items, results: [{ id }] })
  const retried = await admin(`/${id}/retry`, {})
  expect(retried).toMatchObject({ status: 200, body: { id, status: 'queued', retries: 0 } })
  await done(id, red.headers)
  const metrics = await metricsOf(platform.url)
  expect(metrics).toMatch(/^harrier_scans\{status="done"\} 2$/m)
  expect(metrics).toMatch(/^harrier_scan_seconds_count\{outcome="done"\} 3$/m)
})

test('what cannot be scanned or told is refused, and named', async () => {
  const refusals: [body: object, param: string][] = [
    [{}, 'target'],
    [{ target: 'localhost/' }, 'target'],
    [{ target: 'no name' }, 'target'],
    [{ target: 7 }, 'target'],
    [{ target: '8.8.8.8', priority: 'user' }, 'priority'],
    [{ target: '8.8.8.8', webhook: {} }, 'webhook.url'],
    [{ target: '8.8.8.8', webhook: { url: 'ftp://a.example/' } }, 'webhook.url'],
    [
      {
        target: '8.8.8.8',
        webhook: {
          url: hook.url,
          headers: [
            { key: 'a', value: 'b' },
            { key: 'host', value: 'x' },
          ],
        },
      },
      'webhook.headers[1].key',
    ],
    [
      { target: '8.8.8.8', webhook: { url: hook.url, headers: [{ key: 'a', value: 'b', c: 1 }] } },
      'webhook.headers[0].c',
    ],
  ]
  for (const [body, param] of refusals) {
    const answer = await platform.ask(SCAN, body, blue.headers)
    expect([body, answer.status, answer.body.error?.param]).toEqual([body, 400, param])
    expect(answer.headers.get('x-error-id')).toBe(answer.body.error.error_id)
  }
})
