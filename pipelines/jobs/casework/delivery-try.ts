/** One try of one delivery: what it may say is decided, sent, and what came of it written down. */

import type {
  Begun,
  DeliveryEnd,
  DeliveryQueue,
  DestinationLease,
} from '../../../connectors/postgres/casework/deliveries/port.ts'
import type { SendMessage } from '../../../connectors/receivers/port.ts'
import { deliveryVerdict } from '../../../schemas/casework/deliveries/schedule.ts'
import { type MessagePorts, messageOf } from './delivery-message.ts'

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
