/** Deliveries of each kind as the promises of the queue see them: to a URL, under an id that the receiver sees. */

import { randomUUID } from 'node:crypto'
import { sendOutbound } from '../../../connectors/network/requests/request.ts'
import { insertDestination } from '../../../connectors/postgres/casework/deliveries/destinations.ts'
import { kyselyDeliveryQueue } from '../../../connectors/postgres/deliveries/delivery-queue.ts'
import type { DeliveryQueue, TakeQueues } from '../../../connectors/postgres/deliveries/port.ts'
import { type DeliveryPorts, delivering } from '../../../pipelines/runtime/leases/deliveries.ts'
import type { DeliveryKind } from '../../../schemas/casework/deliveries/schedule.ts'
import type { Received } from '../../builders/network/receiver.ts'
import { delivererOver, fire, newDestination, sending } from '../../builders/scans/deliveries.ts'
import { delivery, enqueue, SECRET, verify } from '../../builders/scans/webhooks.ts'
import { NOW, type World } from './world.ts'

export const idOf = ({ headers }: Received): string => headers['x-harrier-delivery'] as string

export type Deliveries<Kind extends DeliveryKind> = {
  kind: Kind
  /** Between the tries, as the documents promise them. */
  pauses: readonly number[]
  queue(): DeliveryQueue<Kind>
  /** Stores one delivery to each URL, each in a queue of its own, and returns what their receivers know them by. */
  to(...urls: string[]): Promise<string[]>
  /** Whether the documented check accepts the request as one of `at`, unix milliseconds. */
  verified(received: Received, at: number): boolean
  deliverer(given?: Partial<DeliveryPorts<Kind>>): ReturnType<typeof delivererOver<Kind>>
  /** Sends as the platform does, but waits for a receiver so many milliseconds, or to public ones alone. */
  sendingBut(given: { timeoutMs?: number; allowPrivate?: boolean }): DeliveryPorts<Kind>['send']
  /** What is due is tried, and its end awaited, until nothing is due. Returns how many queues were served. */
  round(given?: Partial<DeliveryPorts<Kind>>): Promise<number>
  row(id: string): Promise<{ id: string; state: string; attempts: number; last_error: string | null }>
}

const MINUTE = 60_000
const FIRST_PAUSES = [5_000, 30_000, 2 * MINUTE, 10 * MINUTE]
const PAUSES = { scan: FIRST_PAUSES, alert: [...FIRST_PAUSES, 60 * MINUTE, 240 * MINUTE, 1_080 * MINUTE] }

/** What `take` is asked by a process that sends nothing yet. */
export const wanted = (holder: string, now: number): TakeQueues => ({
  holder,
  now,
  leaseMs: 30_000,
  limit: 8,
  perHost: 2,
  sending: {},
})

export function deliveriesOf<Kind extends DeliveryKind>(world: World, kind: Kind): Deliveries<Kind> {
  const secrets = new Map<string, string>()
  const now = () => world.clock.now
  const deliverer = (given: Partial<DeliveryPorts<Kind>> = {}) =>
    delivererOver(world.people.db, kind, { now, ...given })

  /** The end of a scan, to the webhook that was asked for with the scan. */
  async function webhookTo(url: string): Promise<string> {
    const given = delivery(url, { createdAt: now() })
    await enqueue(world.people.db, given)
    secrets.set(given.id, SECRET)
    return given.id
  }

  /** An alert of a watchlist that this destination alone wants. */
  async function alertTo(url: string): Promise<string> {
    const watchlistId = randomUUID()
    const destination = newDestination(world.owner, { url, watchlists: [watchlistId] })
    await world.people.db.transaction().execute((tx) => insertDestination(tx, destination))
    const [id] = await fire(world.people.db, world.owner, { watchlistId, now: now() })
    secrets.set(id!, destination.secret)
    return id!
  }

  return {
    kind,
    pauses: PAUSES[kind],
    queue: () => kyselyDeliveryQueue(world.people.db, kind),
    async to(...urls) {
      const ids: string[] = []
      for (const url of urls) ids.push(await (kind === 'scan' ? webhookTo(url) : alertTo(url)))
      return ids
    },
    verified: (received, at) =>
      verify(
        secrets.get(idOf(received))!,
        received.headers['x-harrier-signature'] as string,
        received.body,
        Math.floor(at / 1000),
      ),
    deliverer,
    sendingBut: ({ timeoutMs, allowPrivate = true }) =>
      sending(world.people.db, {
        send: (request) => sendOutbound({ ...request, timeoutMs: timeoutMs ?? request.timeoutMs }),
        allowPrivate,
        now,
      })[kind],
    async round(given = {}) {
      const tries = delivering(deliverer(given).ports)
      let served = 0
      for (let begun = await tries.begin(); begun > 0; begun = await tries.begin()) {
        await tries.ended()
        served += begun
      }
      return served
    },
    row: (id) =>
      world.people.db.selectFrom('deliveries').selectAll().where('message_id', '=', id).executeTakeFirstOrThrow(),
  }
}

export { NOW }
