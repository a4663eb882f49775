/** Sends webhooks that are due, however many processes do (decisions 7; ADR 111). */

import type { OutboundOutcome, SendOutbound } from '../../../connectors/network/requests/port.ts'
import type { WorkSignals } from '../../../connectors/postgres/core/port.ts'
import type { LeasedDelivery, WebhookDeliveries } from '../../../connectors/postgres/scans/webhooks/port.ts'
import { CUT_OFF, verdict } from '../../../schemas/scans/webhooks/schedule.ts'
import { signature } from '../../../schemas/scans/webhooks/signature.ts'
import { leasedTries, startLeasedTries, type Tries, type TriesOptions } from '../../runtime/leases/leased-tries.ts'

// One try of one delivery: sent, judged, written down.

type TryPorts = {
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

const TRY_MS = 10_000
const MAX_RESPONSE_BYTES = 16_384

const isSuccess = (outcome: OutboundOutcome): boolean => outcome.ok && outcome.status >= 200 && outcome.status <= 299

/**
 * Tries once. Every try has the same id and body and a signature of its own time. When `signal` cuts it off, the
 * delivery is given back. Rejects when the database fails; the lease then ends by itself.
 */
async function tryDelivery(ports: TryPorts, delivery: LeasedDelivery, signal: AbortSignal): Promise<void> {
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

export type WebhookPorts = TryPorts & {
  /** UUID of this process. */
  holder: string
  /** Which commits stored something; default: what is due is looked for twice a second. */
  work?: WorkSignals
  onFailure: (error: Error) => void
  /** Resolves after so many milliseconds, or once the signal is aborted. */
  pause?: (ms: number, signal: AbortSignal) => Promise<void>
}

/** Long enough for a try and the words about it. */
const LEASE_MS = 3 * TRY_MS

const TIDY_ROWS = 1_000
const KEEP_MS = 30 * 24 * 60 * 60 * 1000

const triesOf = (ports: WebhookPorts): TriesOptions<LeasedDelivery> => ({
  ...ports,
  take: ports.deliveries.take,
  attempt: (delivery, signal) => tryDelivery(ports, delivery, signal),
  leaseMs: LEASE_MS,
})

/** Tries of webhooks that are due. */
export const webhookSending = (ports: WebhookPorts): Tries => leasedTries(triesOf(ports))

/** Declares dead what a killed process left in its last try, and forgets what ended 30 days ago. */
export async function tidyDeliveries({ deliveries, onDead, now }: TryPorts): Promise<void> {
  for (const id of await deliveries.markDead(now(), TIDY_ROWS)) onDead({ id, error: CUT_OFF })
  await deliveries.prune(now() - KEEP_MS, TIDY_ROWS)
}

/** Sends until stopped; a failure of the database is told to `onFailure` and retried. */
export const startWebhooks = (ports: WebhookPorts): { stop: () => Promise<void> } =>
  startLeasedTries({
    ...ports,
    ...triesOf(ports),
    kind: 'webhooks',
    nextAt: ports.deliveries.nextAt,
    tidy: () => tidyDeliveries(ports),
  })
