/** Sends alerts to the destinations of their users, however many processes do (decisions 13.3; ADR 216). */

import type { DestinationLease } from '../../../connectors/postgres/casework/deliveries/port.ts'
import type { WorkSignals } from '../../../connectors/postgres/core/port.ts'
import { leasedTries, startLeasedTries, type Tries, type TriesOptions } from '../../runtime/leases/leased-tries.ts'
import { type DeliveryTryPorts, tryNext } from './delivery-try.ts'

export type DeliveryPorts = DeliveryTryPorts & {
  /** UUID of this process. */
  holder: string
  /** Which commits stored something; default: what is due is looked for twice a second. */
  work?: WorkSignals
  onFailure: (error: Error) => void
  /** Resolves after so many milliseconds, or once the signal is aborted. */
  pause?: (ms: number, signal: AbortSignal) => Promise<void>
}

/** Long enough for a try of 10 s and the words about it. */
const LEASE_MS = 30_000

const TIDY_ROWS = 10_000
/** Deliveries that ended are shown for as long. */
const KEEP_MS = 30 * 24 * 60 * 60 * 1000

const triesOf = (ports: DeliveryPorts): TriesOptions<DestinationLease> => ({
  ...ports,
  take: ports.queue.take,
  attempt: (lease, signal) => tryNext(ports, lease, signal),
  leaseMs: LEASE_MS,
})

/** Tries of destinations that are due, one at a time of each. */
export const delivering = (ports: DeliveryPorts): Tries => leasedTries(triesOf(ports))

/** Delivers until stopped; a failure of a store is told to `onFailure` and retried. */
export const startDeliveries = (ports: DeliveryPorts): { stop: () => Promise<void> } =>
  startLeasedTries({
    ...ports,
    ...triesOf(ports),
    kind: 'deliveries',
    nextAt: ports.queue.nextAt,
    tidy: async () => void (await ports.queue.prune(ports.now() - KEEP_MS, TIDY_ROWS)),
  })
