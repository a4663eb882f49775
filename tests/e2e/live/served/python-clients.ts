import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newUserOf, type User } from '../../../builders/accounts/users.ts'
import { type Receiver, receiver } from '../../../builders/network/receiver.ts'
import { eventually } from '../../../builders/platform/platform.ts'
import type { Shared } from '../../../builders/platform/shared.ts'
import { type LiveClient, liveClient } from '../../../clients/live/live-client.ts'
import { orSkip } from '../../../clients/prepare.ts'

const LONG_MS = 300_000
/** Streams, the socket and webhooks as libraries of Python read them: httpx-sse, websockets, standardwebhooks. */
export function pythonClients(shared: Shared): void {
  const { folder, platform } = shared
  let analyst: User
  let target: Receiver

  beforeAll(async () => {
    analyst = await newUserOf(platform, { roles: ['user', 'reporter'], groups: ['blue'] })
    const address = { street: '1 Main St', city: 'Springfield', state: 'IL', postalCode: '62701', country: 'US' }
    await made('/api/billing/v1/customer', { name: 'Acme', email: 'acme@example.com', billingAddress: address })
    target = await receiver((response) => response.end())
  }, LONG_MS)
  afterAll(() => target?.close())

  // biome-ignore lint/suspicious/noExplicitAny: an answer is what a test looks into
  async function made(path: string, body: object): Promise<any> {
    const answer = await platform.ask(path, body, analyst.headers)
    expect([answer.status, answer.body.error]).toEqual([201, undefined])
    return answer.body
  }

  async function report(value: string): Promise<void> {
    const body = { type: 'domain', attributes: { domain: value }, reputation: -3, visibleBy: ['blue'] }
    expect((await platform.ask('/api/ingest/v1/entity', body, analyst.headers)).status).toBe(202)
  }

  const names = (prefix: string, count: number): string[] =>
    Array.from({ length: count }, (_, n) => `${prefix}${n}.example`)

  test(
    'a stream goes on where its client left it, without a gap',
    async ({ skip }) => {
      const client: LiveClient = await orSkip(liveClient(), skip)
      const running = client('changes', `${platform.url}/api/live/v1/changes`, 7, analyst.headers)
      await running.opened
      for (const value of names('stream', 7)) await report(value)
      const told = (await running.told) as { id: string; kinds: string[]; entity: { value: string } }[]
      expect(told.map(({ entity }) => entity.value).sort()).toEqual(names('stream', 7))
      expect(new Set(told.map(({ id }) => id)).size).toBe(7)
      expect(told.map(({ kinds }) => kinds)).toEqual(Array(7).fill(['created']))
    },
    LONG_MS,
  )

  test(
    'a socket tells the same in the words of existing clients',
    async ({ skip }) => {
      const client = await orSkip(liveClient(), skip)
      // The place of the stream before is given back once the platform sees that its client is gone.
      await eventually(
        () => platform.ask('/api/analytics/v1/live/ticket', undefined, analyst.headers),
        ({ status }) => status === 200,
      )
      const running = client('socket', `${platform.url}/api/analytics/v1/live`, 4, analyst.headers)
      await running.opened
      for (const value of names('socket', 2)) await report(value)
      const told = (await running.told) as { type: string; value: string }[]
      expect(told.map(({ type, value }) => `${value} ${type}`).sort()).toEqual(
        names('socket', 2).flatMap((value) => [`${value} entity.created`, `${value} entity.malicious`]),
      )
    },
    LONG_MS,
  )

  test(
    'a webhook is verified with its secret, and with no other',
    async ({ skip }) => {
      const client = await orSkip(liveClient(), skip)
      const list = await made('/api/casework/v1/watchlists', { name: 'ours' })
      await made(`/api/casework/v1/watchlists/${list.id}/items`, { kind: 'suffix', value: 'hook0.example' })
      const hook = { name: 'ours', kind: 'webhook', url: target.url }
      const { secret } = await made('/api/alerts/v1/destinations', hook)
      await report('hook0.example')
      const [request] = await eventually(
        async () => target.received,
        ({ length }) => length === 1,
      )
      const file = join(folder, 'request.json')
      writeFileSync(file, JSON.stringify({ headers: request!.headers, body: request!.body.toString() }))
      const read = await client('webhook', secret, file, analyst.headers).told
      expect(read).toMatchObject({
        type: 'alert.created',
        data: { entityValue: 'hook0.example', watchlistID: list.id },
      })
      const other = `whsec_${Buffer.alloc(32, 1).toString('base64')}`
      await expect(client('webhook', other, file, analyst.headers).told).rejects.toThrow('WebhookVerificationError')
    },
    LONG_MS,
  )
}
