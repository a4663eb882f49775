/** One try of one delivery: sent, judged, written down. */

import type { OutboundOutcome, SendOutbound } from '../../../connectors/network/requests/port.ts'
import type { LeasedDelivery, WebhookDeliveries } from '../../../connectors/postgres/scans/webhooks/port.ts'
import { verdict } from '../../../schemas/scans/webhooks/schedule.ts'
import { signature } from '../../../schemas/scans/webhooks/signature.ts'

export type TryPorts = {
  deliveries: WebhookDeliveries
  send: SendOutbound
  /** Also to receivers that are not public (tests). */
  allowPrivate: boolean
  /** Unix milliseconds. */
  now: () => number
  /** What came of a try (`delivered`, `status`, or why there was no answer), and how long it took. */
  onTry: (outcome: string, seconds: number) => void
  /** A delivery that was given up. */
  onDead: (dead: { id: string; error: string }) => void
}

export const TRY_MS = 10_000
const MAX_RESPONSE_BYTES = 16_384

const isSuccess = (outcome: OutboundOutcome): boolean => outcome.ok && outcome.status >= 200 && outcome.status <= 299

/**
 * Tries once. Every try has the same id and body and a signature of its own time. When `signal` cuts it off, the
 * delivery is given back. Rejects when the database fails; the lease then ends by itself.
 */
export async function tryDelivery(ports: TryPorts, delivery: LeasedDelivery, signal: AbortSignal): Promise<void> {
  const { deliveries, now } = ports
  const began = now()
  const outcome = await ports.send({
    url: delivery.url,
    method: 'POST',
    headers: [
      ...delivery.headers,
      { key: 'content-type', value: 'application/json' },
      { key: 'x-harrier-delivery', value: delivery.id },
      { key: 'x-harrier-signature', value: signature(delivery.secret, Math.floor(began / 1000), delivery.body) },
    ],
    body: delivery.body,
    timeoutMs: TRY_MS,
    maxResponseBytes: MAX_RESPONSE_BYTES,
    allowPrivate: ports.allowPrivate,
    signal,
  })
  if (!outcome.ok && outcome.reason === 'stopped') return deliveries.release(delivery, now())
  ports.onTry(isSuccess(outcome) ? 'delivered' : outcome.ok ? 'status' : outcome.reason, (now() - began) / 1000)
  const error = isSuccess(outcome)
    ? null
    : outcome.ok
      ? `the receiver answered with status ${outcome.status}`
      : outcome.message
  const judged = verdict(delivery.attempt, error, now())
  const ours = await deliveries.commitOutcome(delivery, judged, now())
  if (ours && judged.state === 'dead') ports.onDead({ id: delivery.id, error: judged.error })
}
