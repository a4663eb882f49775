/** Sends webhooks that are due, however many processes do (decisions 7; ADR 111). */

import type { WorkSignals } from '../../../connectors/postgres/core/port.ts'
import type { LeasedDelivery } from '../../../connectors/postgres/scans/webhooks/port.ts'
import { CUT_OFF } from '../../../schemas/scans/webhooks/schedule.ts'
import { leasedTries, startLeasedTries, type Tries, type TriesOptions } from '../../runtime/leases/leased-tries.ts'
import { TRY_MS, type TryPorts, tryDelivery } from './webhook-try.ts'

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
