/** take -> begin -> send -> settle: deliveries of one kind, however many processes send them (ADR 280, 263). */

import type { WorkSignals } from '../../../connectors/postgres/core/port.ts'
import type { Begun, DeliveryEnd, DeliveryQueue, QueueLease } from '../../../connectors/postgres/deliveries/port.ts'
import type { Sent } from '../../../connectors/receivers/port.ts'
import { CUT_OFF, type DeliveryKind, verdict } from '../../../schemas/casework/deliveries/schedule.ts'
import { leasedTries, startLeasedTries, type Tries, type TriesOptions } from './leased-tries.ts'

/** One try at the receiver, within 10 seconds; `skipped` says why nothing is sent. Rejects when a store fails. */
export type Send<Kind extends DeliveryKind> = (
  begun: Begun<Kind>,
  signal: AbortSignal,
) => Promise<Sent | { skipped: string }>

export type DeadDelivery = { delivery: string; queue: string; host: string; error: string }

export type DeliveryPorts<Kind extends DeliveryKind> = {
  kind: Kind
  queue: DeliveryQueue<Kind>
  send: Send<Kind>
  /** UUID of this process. */
  holder: string
  /** Unix milliseconds. */
  now: () => number
  /** What came of a try (`delivered`, or the reason), and how long it took. */
  onTry: (begun: Begun<Kind>, outcome: string, seconds: number) => void
  /** A delivery that was given up. */
  onDead: (dead: DeadDelivery) => void
  onFailure: (error: Error) => void
  /** Which commits stored something; default: what is due is looked for twice a second. */
  work?: WorkSignals
  /** Resolves after so many milliseconds, or once the signal is aborted. */
  pause?: (ms: number, signal: AbortSignal) => Promise<void>
}

/** What its commits ring. */
const WORK = { scan: 'webhooks', alert: 'deliveries' } as const

/** Long enough for a try of 10 s and the words about it. */
const LEASE_MS = 30_000

const TIDY_ROWS = 10_000
/** Deliveries that ended are shown for as long. */
const KEEP_MS = 30 * 24 * 60 * 60 * 1000

const triesOf = <Kind extends DeliveryKind>(ports: DeliveryPorts<Kind>): TriesOptions<QueueLease> => ({
  ...ports,
  take: ports.queue.take,
  attempt: (lease, signal) => tryNext(ports, lease, signal),
  leaseMs: LEASE_MS,
})

/** Tries of queues that are due, one at a time of each. */
export const delivering = <Kind extends DeliveryKind>(ports: DeliveryPorts<Kind>): Tries => leasedTries(triesOf(ports))

/** Forgets what ended 30 days ago. */
export const tidyDeliveries = <Kind extends DeliveryKind>({
  queue,
  now,
}: Pick<DeliveryPorts<Kind>, 'queue' | 'now'>): Promise<number> => queue.prune(now() - KEEP_MS, TIDY_ROWS)

/** Delivers until stopped; a failure of a store is told to `onFailure` and retried. */
export const startDeliveries = <Kind extends DeliveryKind>(ports: DeliveryPorts<Kind>): { stop: () => Promise<void> } =>
  startLeasedTries({
    ...ports,
    ...triesOf(ports),
    kind: WORK[ports.kind],
    nextAt: ports.queue.nextAt,
    tidy: async () => void (await tidyDeliveries(ports)),
  })

/**
 * Sends what is next in a leased queue. When `signal` cuts it off, the delivery is given back. Rejects when a store fails;
 * the lease then ends by itself, and the try counts.
 */
async function tryNext<Kind extends DeliveryKind>(
  ports: DeliveryPorts<Kind>,
  lease: QueueLease,
  signal: AbortSignal,
): Promise<void> {
  const { queue, now, onDead } = ports
  const dead = (delivery: string, error: string) => onDead({ delivery, queue: lease.queueId, host: lease.host, error })
  const { begun, cutOff } = await queue.begin(lease, now())
  for (const delivery of cutOff) dead(delivery, CUT_OFF)
  if (begun === null) return
  const end = await endOf(ports, begun, signal)
  if (end === null) return queue.release(begun, now())
  const ours = await queue.settle(begun, end, now())
  if (ours && end.state === 'dead') dead(begun.deliveryId, end.error)
}

/** null: it was cut off. */
async function endOf<Kind extends DeliveryKind>(
  { kind, send, now, onTry }: DeliveryPorts<Kind>,
  begun: Begun<Kind>,
  signal: AbortSignal,
): Promise<DeliveryEnd | null> {
  const began = now()
  const sent = await send(begun, signal)
  if ('skipped' in sent) return { state: 'skipped', note: sent.skipped }
  if (!sent.ok && sent.reason === 'stopped') return null
  onTry(begun, sent.ok ? 'delivered' : sent.reason, (now() - began) / 1000)
  return verdict(kind, begun.attempt, sent.ok ? null : sent.error, now())
}
