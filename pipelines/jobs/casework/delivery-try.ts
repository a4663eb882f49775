/** One try of one delivery: what it may say is decided, sent, and what came of it written down. */

import type {
  Begun,
  DeliveryEnd,
  DeliveryQueue,
  DestinationLease,
} from '../../../connectors/postgres/casework/deliveries/port.ts'
import type { SendMessage } from '../../../connectors/receivers/port.ts'
import { alertItem, DIGEST_ALERTS, type Message } from '../../../schemas/casework/deliveries/message.ts'
import { deliveryVerdict } from '../../../schemas/casework/deliveries/schedule.ts'

// What a delivery says at the moment of its try: rights are asked again each time (decisions 13.3).

type MessagePorts = {
  queue: Pick<DeliveryQueue, 'alerts' | 'countAlerts'>
}

/** Why nothing is sent for this user; null: it may be told. */
function refusalFor({ user, destination }: Pick<Begun, 'user' | 'destination'>): string | null {
  if (user === null) return 'the user no longer exists'
  if (user.disabled) return 'the user is disabled'
  if (user.customerId !== destination.owner.customerId) return 'the user is no longer a member of the customer'
  return user.roles.includes('user') ? null : 'the user no longer has the role user'
}

/** The message, or why there is none. Rejects when a store fails. */
async function messageOf({ queue }: MessagePorts, begun: Begun): Promise<Message | { skipped: string }> {
  const refusal = refusalFor(begun)
  if (refusal !== null) return { skipped: refusal }
  const { messageId: id, createdAt } = begun
  const { groups } = begun.user!
  const alerts = await queue.alerts(begun, groups, DIGEST_ALERTS)
  const [first] = alerts
  if (first === undefined) return { skipped: 'the alert was deleted, or its user may no longer read it' }
  if ('alertId' in begun.carries) return { type: 'alert.created', id, at: first.createdAt, alert: alertItem(first) }
  const count = await queue.countAlerts(begun, groups)
  return { type: 'alerts.digest', id, at: createdAt, count, alerts: alerts.map(alertItem) }
}

export type DeliveryTryPorts = MessagePorts & {
  queue: DeliveryQueue
  send: SendMessage
  /** Unix milliseconds. */
  now: () => number
  /** What came of a try (`delivered`, or the reason), and how long it took. */
  onTry: (kind: string, outcome: string, seconds: number) => void
  /** A delivery that was given up. */
  onDead: (dead: { destination: string; delivery: string; kind: string; error: string }) => void
}

/**
 * Sends what is next for a leased destination. When `signal` cuts it off, the delivery is given back. Rejects when a store
 * fails; the lease then ends by itself, and the try counts.
 */
export async function tryNext(ports: DeliveryTryPorts, lease: DestinationLease, signal: AbortSignal): Promise<void> {
  const { queue, now } = ports
  const begun = await queue.begin(lease, now())
  if (begun === null) return
  const end = await endOf(ports, begun, signal)
  if (end === null) return queue.release(begun, now())
  const ours = await queue.settle(begun, end, now())
  if (!ours || end.state !== 'dead') return
  const { deliveryId: delivery, receiver } = begun
  ports.onDead({ destination: begun.destinationId, delivery, kind: receiver.kind, error: end.error })
}

/** null: it was cut off. */
async function endOf(ports: DeliveryTryPorts, begun: Begun, signal: AbortSignal): Promise<DeliveryEnd | null> {
  const message = await messageOf(ports, begun)
  if ('skipped' in message) return { state: 'skipped', note: message.skipped }
  const { now } = ports
  const began = now()
  const sent = await ports.send(begun.receiver, message, signal)
  if (!sent.ok && sent.reason === 'stopped') return null
  ports.onTry(begun.receiver.kind, sent.ok ? 'delivered' : sent.reason, (now() - began) / 1000)
  return deliveryVerdict(begun.attempt, sent.ok ? null : sent.error, now())
}
