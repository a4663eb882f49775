import { readdirSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Webhook } from 'standardwebhooks'
import { afterAll, expect, test } from 'vitest'
import { mailedCode } from '../../../builders/accounts/mailed-code.ts'
import { newUserOf, type User } from '../../../builders/accounts/users.ts'
import { type Received, type Receiver, receiver } from '../../../builders/network/receiver.ts'
import { command } from '../../../builders/platform/command.ts'
import { lag } from '../../../builders/platform/lag.ts'
import { metricsOf } from '../../../builders/platform/metrics.ts'
import { ADMINISTRATOR, eventually } from '../../../builders/platform/platform.ts'
import type { Shared } from '../../../builders/platform/shared.ts'

/** From a report to a receiver on loopback, which verifies it with the public library of Standard Webhooks. */
export function deliveries(shared: Shared): void {
  const { folder, platform } = shared
  const DESTINATIONS = '/api/alerts/v1/destinations'
  const ADDRESS = { street: '1 Main St', city: 'Springfield', state: 'IL', postalCode: '62701', country: 'US' }

  const receivers: Receiver[] = []
  afterAll(async () => {
    for (const one of receivers) await one.close()
  })

  // biome-ignore lint/suspicious/noExplicitAny: an answer is what a test looks into
  type Told = { id: string; type: string; data: any }

  async function ask(as: User, method: string, path: string, body?: object) {
    const headers = { ...as.headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) }
    const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }
    const response = await fetch(platform.url + path, init)
    const text = await response.text()
    return { status: response.status, body: text === '' ? null : JSON.parse(text) }
  }

  /** An analyst with a customer of its own, in the group `blue`, who watches one network. */
  async function analyst(network: string): Promise<User> {
    const user = await newUserOf(platform, { roles: ['user', 'reporter'], groups: ['blue'] })
    const body = { name: network, email: 'billing@example.com', billingAddress: ADDRESS }
    expect((await platform.ask('/api/billing/v1/customer', body, user.headers)).status).toBe(201)
    const made = await ask(user, 'POST', '/api/casework/v1/watchlists', { name: 'Ours' })
    const items = `/api/casework/v1/watchlists/${made.body.id}/items`
    expect((await ask(user, 'POST', items, { kind: 'cidr', value: network })).status).toBe(201)
    return user
  }

  async function receiving(...given: Parameters<typeof receiver>): Promise<Receiver> {
    const made = await receiver(...given)
    receivers.push(made)
    return made
  }

  async function destination(as: User, given: object): Promise<{ id: string; secret: string }> {
    const { status, body } = await ask(as, 'POST', DESTINATIONS, { name: 'ours', kind: 'webhook', ...given })
    expect([status, body.error]).toEqual([201, undefined])
    return body
  }

  /** What a receiver was told, each verified. */
  const told = ({ received }: Receiver, secret: string): Told[] => received.map((one) => verified(one, secret))

  function verified({ headers, body }: Received, secret: string): Told {
    const read = new Webhook(secret).verify(body, headers as Record<string, string>) as Omit<Told, 'id'>
    return { id: headers['webhook-id'] as string, ...read }
  }

  async function report(as: User, value: string, given: object = {}): Promise<void> {
    const body = { type: 'ip', attributes: { ip: value }, reputation: -3, visibleBy: ['public'], ...given }
    expect((await platform.ask('/api/ingest/v1/entity', body, as.headers)).status).toBe(202)
  }

  const inbox = async (as: User) => (await ask(as, 'GET', '/api/casework/v1/alerts?limit=500')).body.items
  const deliveries = async (as: User, id: string) =>
    (await ask(as, 'GET', `${DESTINATIONS}/${id}/deliveries?limit=500`)).body.items

  /** Every group has looked at everything. */
  const settled = () =>
    eventually(
      () => lag(platform.url),
      (left) => left === 0,
    )

  const received = (target: Receiver, count: number) =>
    eventually(
      async () => target.received.length,
      (n) => n >= count,
      60_000,
    )

  test('what a watchlist fires arrives once, as its user reads it, and the public library verifies it', async () => {
    const user = await analyst('198.51.100.0/28')
    const target = await receiving((response) => response.end())
    const { id, secret } = await destination(user, { url: target.url })
    await report(user, '198.51.100.1')
    await received(target, 1)
    const [{ unread, ...alert }] = await inbox(user)
    expect(unread).toBe(true)
    const link = `https://harrier.example.com/entity/${alert.entityID}`
    expect(told(target, secret)).toEqual([
      { id: alert.id, type: 'alert.created', timestamp: alert['@timestamp'], data: { ...alert, link } },
    ])
    await eventually(
      () => deliveries(user, id),
      ([one]) => one?.state === 'delivered',
    )
    const metrics = () => metricsOf(platform.url)
    await eventually(metrics, (text) =>
      /^harrier_alert_delivery_tries_total\{kind="webhook",outcome="delivered"\} [1-9]/m.test(text),
    )
  })

  test('a test says at once whether a receiver takes what is sent, and a new secret signs it', async () => {
    const user = await analyst('198.51.100.16/28')
    const target = await receiving((response, n) => response.writeHead(n === 1 ? 200 : 301, { location: '/' }).end())
    const { id } = await destination(user, { url: target.url })
    const renewed = await ask(user, 'POST', `${DESTINATIONS}/${id}/secret`)
    expect((await ask(user, 'POST', `${DESTINATIONS}/${id}/test`)).body).toEqual({ delivered: true, error: null })
    expect(told(target, renewed.body.secret)).toMatchObject([
      { type: 'test', data: { destinationID: id, name: 'ours' } },
    ])
    const again = await eventually(
      () => ask(user, 'POST', `${DESTINATIONS}/${id}/test`),
      ({ status }) => status === 200,
    )
    expect(again.body).toEqual({ delivered: false, error: 'the receiver answered with status 301' })
  })

  test('mail goes to an address once its code has confirmed it, in words that nobody can click', async () => {
    const user = await analyst('198.51.100.32/28')
    const { id } = await destination(user, { kind: 'email', email: 'soc@example.org' })
    await report(user, '198.51.100.33')
    await eventually(
      () => inbox(user),
      ({ length }) => length === 1,
    )
    const code = mailedCode(folder, 'soc@example.org')
    expect((await ask(user, 'POST', `${DESTINATIONS}/${id}/confirm`, { code })).status).toBe(200)
    await report(user, '198.51.100.34')
    const mails = async () =>
      readdirSync(join(folder, 'outbox'))
        .map((name) => readFileSync(join(folder, 'outbox', name), 'utf8'))
        .filter((mail) => mail.includes('Harrier alert'))
    const [mail, ...more] = await eventually(mails, ({ length }) => length > 0)
    expect(more).toEqual([])
    expect(mail).toContain('To: soc@example.org')
    expect(mail).toMatch(/^Subject: Harrier alert: ip 198\[\.\]51\[\.\]100\[\.\]34\r?$/m)
    expect(await deliveries(user, id)).toMatchObject([{ attempts: 1 }])
  })

  test('a destination for what is public learns nothing of what others alone may read, nor when', async () => {
    const user = await analyst('198.51.100.48/28')
    const [own, open] = [await receiving((response) => response.end()), await receiving((response) => response.end())]
    const all = await destination(user, { url: own.url })
    const shared = await destination(user, { url: open.url, publicOnly: true })
    // The job of alerts has read of it.
    await settled()
    const hidden = { visibleBy: ['blue'] }
    await report(user, '198.51.100.49', hidden)
    await report(user, '198.51.100.50', hidden)
    await received(own, 2)
    await report(user, '198.51.100.50', { reputation: -1, tags: ['open'] })
    await report(user, '198.51.100.51')
    await received(open, 2)
    await received(own, 3)
    await settled()
    expect(told(own, all.secret).map(({ data }) => data.entityValue)).toEqual(
      ['49', '50', '51'].map((last) => `198.51.100.${last}`),
    )
    const alerts: { id: string; entityValue: string }[] = await inbox(user)
    const idOf = (value: string) => alerts.find(({ entityValue }) => entityValue === value)!.id
    expect(told(open, shared.secret)).toMatchObject([
      { id: idOf('198.51.100.50'), data: { entityValue: '198.51.100.50', reputation: -1, count: 1 } },
      { id: idOf('198.51.100.51'), data: { entityValue: '198.51.100.51', reputation: -3, count: 1 } },
    ])
  })

  test('a delivery that failed before the platform was killed is tried again by the next one, under the same id', async () => {
    const user = await analyst('198.51.100.64/28')
    const target = await receiving((response, n) => response.writeHead(n === 1 ? 500 : 200).end())
    const { id, secret } = await destination(user, { url: target.url })
    await report(user, '198.51.100.65')
    await report(user, '198.51.100.66')
    await received(target, 1)
    await eventually(
      () => deliveries(user, id),
      (all) => all.some(({ lastError }: { lastError: string | null }) => lastError !== null),
    )
    await platform.kill()
    await shared.start()
    await received(target, 3)
    const ids = told(target, secret).map((one) => one.id)
    expect([ids[1], new Set(ids).size]).toEqual([ids[0], 2])
    const all = await eventually(
      () => deliveries(user, id),
      (items) => items.every(({ state }: { state: string }) => state === 'delivered'),
    )
    expect(all.map(({ alertID }: { alertID: string }) => alertID).reverse()).toEqual([ids[0], ids[2]])
  }, 240_000)

  test('an import that fires a thousand alerts makes at most sixty deliveries, and none of them is lost', async () => {
    const user = await analyst('203.0.112.0/22')
    const target = await receiving((response) => response.end())
    const { id, secret } = await destination(user, { url: target.url })
    await settled()
    const file = join(folder, 'list.txt')
    const addresses = Array.from({ length: 1_000 }, (_, n) => `203.0.${112 + Math.floor(n / 250)}.${(n % 250) + 1}`)
    await writeFile(file, addresses.join('\n'))
    const imported = await command(folder, 'feed', 'import', file, '--format', 'lines', '--feed', 'storm')
    expect(imported).toMatchObject({ code: 0 })
    await settled()
    const alertsIn = () =>
      told(target, secret).reduce((sum, { type, data }) => sum + (type === 'alerts.digest' ? data.count : 1), 0)
    await eventually(
      async () => alertsIn(),
      (n) => n >= 1_000,
      240_000,
    )
    expect(alertsIn()).toBe(1_000)
    expect(target.received.length).toBeLessThanOrEqual(60)
    const digests = told(target, secret).filter(({ type }) => type === 'alerts.digest')
    expect(digests.length).toBeGreaterThan(0)
    for (const { data } of digests) expect(data.alerts.length + data.more).toBe(data.count)
    const states = (await deliveries(user, id)).map(({ state }: { state: string }) => state)
    expect(states).toEqual(Array(500).fill('delivered'))
  }, 360_000)

  test('nothing is sent for a user that is disabled, and a deleted one has no destinations', async () => {
    const user = await analyst('198.51.100.80/28')
    const other = await analyst('198.51.100.80/28')
    const [target, theirs] = [
      await receiving((response) => response.end()),
      await receiving((response) => response.end()),
    ]
    await destination(user, { url: target.url })
    await destination(other, { url: theirs.url })
    const headers = { ...ADMINISTRATOR, 'content-type': 'application/json' }
    const admin = `${platform.url}/auth/v2/admin/user/${user.id}`
    const disabled = await fetch(admin, { method: 'PUT', headers, body: JSON.stringify({ disabled: true }) })
    expect(disabled.ok).toBe(true)
    await report(other, '198.51.100.81')
    await received(theirs, 1)
    expect((await fetch(admin, { method: 'DELETE', headers: ADMINISTRATOR })).ok).toBe(true)
    await report(other, '198.51.100.82')
    await received(theirs, 2)
    await settled()
    expect(target.accepted()).toBe(0)
    expect((await ask(user, 'GET', DESTINATIONS)).status).toBe(401)
  })
}
