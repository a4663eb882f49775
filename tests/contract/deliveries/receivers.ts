import { Webhook } from 'standardwebhooks'
import { describe, expect, test } from 'vitest'
import type { receiver } from '../../builders/network/receiver.ts'
import { fire, sending } from '../../builders/scans/deliveries.ts'
import { deliveriesOf } from './kinds.ts'
import type { World } from './world.ts'

type Answer = Parameters<typeof receiver>[0]

const MISBEHAVIOURS: { name: string; answer: Answer; error: string }[] = [
  {
    name: 'answers and never ends',
    answer: (response) => void response.writeHead(200).write('x'),
    error: 'the request timed out',
  },
  {
    name: 'answers with ten megabytes',
    answer: (response) => void response.writeHead(200).end(Buffer.alloc(10 * 1024 * 1024)),
    error: 'the response body is too large',
  },
  {
    name: 'closes half-way',
    answer: (response) =>
      void response.writeHead(200, { 'content-length': 100 }).write('half', () => response.destroy()),
    error: 'the connection was closed before the end of the response',
  },
]

export const receiverPromises = (world: World) =>
  describe('receivers', () => {
    test('an alert arrives once, under its own id, and the public library verifies it', async () => {
      const { people, owner, made, receiving, round, deliveries } = world
      world.clock.now = Date.now()
      const target = await receiving((response) => response.end('thanks'))
      const destination = await made({ url: target.url })
      const [id] = await fire(people.db, owner, { now: world.clock.now })
      expect(await round()).toBeGreaterThan(0)
      expect(target.received).toHaveLength(1)
      const { headers, body } = target.received[0]!
      expect(headers).toMatchObject({
        'content-type': 'application/json',
        'user-agent': 'harrier',
        'webhook-id': id,
        'x-harrier-delivery': id,
      })
      const told = new Webhook(destination.secret).verify(body, headers as Record<string, string>)
      expect(told).toMatchObject({
        type: 'alert.created',
        timestamp: new Date(world.clock.now).toISOString(),
        data: { id, entityValue: '203.0.113.7', reputation: -3, count: 1 },
      })
      expect(await deliveries(destination)).toMatchObject([
        { alertId: id, state: 'delivered', attempts: 1, nextAt: null, lastError: null, note: null, digestId: null },
      ])
    })

    test('a new secret signs from then on, and the one before verifies nothing any more', async () => {
      const { people, owner, made, receiving, round, destinations } = world
      world.clock.now = Date.now()
      const target = await receiving((response) => response.end())
      const destination = await made({ url: target.url })
      const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
      expect(await destinations.setSecret(owner, destination.id, secret, world.clock.now)).toBe(true)
      await fire(people.db, owner, { now: world.clock.now })
      await round()
      const { headers, body } = target.received[0]!
      const given = headers as Record<string, string>
      expect(() => new Webhook(destination.secret).verify(body, given)).toThrow()
      expect(new Webhook(secret).verify(body, given)).toMatchObject({ type: 'alert.created' })
    })

    for (const { name, answer, error } of MISBEHAVIOURS)
      test(`a destination that ${name} has failed that try: its answer has to end`, async () => {
        const { people, owner, made, receiving, round, deliveries, clock } = world
        const target = await receiving(answer)
        const destination = await made({ url: target.url })
        await fire(people.db, owner)
        await round({ send: deliveriesOf(world, 'alert').sendingBut({ timeoutMs: 1_500 }) })
        const next = new Date(clock.now + 5_000).getTime()
        expect(await deliveries(destination)).toMatchObject([
          { state: 'retrying', attempts: 1, lastError: error, nextAt: next },
        ])
      })

    test('a chat gets its own form of it', async () => {
      const { people, owner, made, receiving, round } = world
      const target = await receiving((response) => response.end('ok'))
      await made({ kind: 'slack', url: `${target.url}?slack` })
      await made({ kind: 'teams', url: `${target.url}?teams` })
      await fire(people.db, owner, { value: '<!channel> http://evil.example' })
      await round()
      const bodies = target.received.map(({ body }) => JSON.parse(body.toString()))
      expect(bodies).toHaveLength(2)
      const slack = bodies.find((body) => 'blocks' in body)
      expect(slack.text).toBe('Harrier alert: ip &lt;!channel&gt; hxxp://evil[.]example')
      expect(bodies.find((body) => body !== slack)).toMatchObject({ type: 'message' })
    })

    test('a mail goes to the confirmed address, and a server that refuses it fails the try', async () => {
      const { people, owner, made, round, deliveries, clock } = world
      const mails: { to: string; subject: string }[] = []
      let down = true
      const mailer = {
        send: async (mail: { to: string; subject: string }) => {
          if (down) throw new Error('the secret name of the server is down')
          mails.push(mail)
        },
      }
      const { alert: send } = sending(people.db, { mailer, now: () => world.clock.now })
      const destination = await made({ kind: 'email', url: null, email: 'soc@example.com', confirmedAt: 1 })
      await fire(people.db, owner)
      await round({ send })
      expect(await deliveries(destination)).toMatchObject([
        { state: 'retrying', lastError: 'the mail server did not accept the mail' },
      ])
      down = false
      clock.now += 5_000
      await round({ send })
      expect(mails).toMatchObject([{ to: 'soc@example.com', subject: 'Harrier alert: ip 203[.]0[.]113[.]7' }])
      expect(await deliveries(destination)).toMatchObject([{ state: 'delivered', attempts: 2 }])
    })
  })
