import { retry } from '../../../platform/retry.ts'

export const PAUSE_MS = 250

/**
 * Retries for `forMs` what a broker refuses for a moment: a broker that has just started loads its groups first, and
 * partitions that were just made change their leader.
 */
export const retryTransient = <T>(forMs: number, work: () => Promise<T>): Promise<T> =>
  retry(work, { pausesMs: [PAUSE_MS], forMs, shouldRetry: isTransient })

/**
 * Whether the same request may succeed a moment later. The client reads watermarks in two steps and fails with a
 * TypeError when another request refreshes what the client knows between them.
 */
export const isTransient = (error: unknown): boolean =>
  error instanceof TypeError || (error as { retriable?: boolean }).retriable === true

/** Milliseconds before an attempt after a failed one: a broker that came back is met within the last of them. */
export const PAUSES = [50, 100, 200, 400, 500]

/** Errors of brokers that the client calls permanent, and that pass when a broker is itself again. */
const PASSING = ['UNKNOWN', 'BROKER_NOT_AVAILABLE', 'KAFKAJS_UNKNOWN_ERROR_CODE']

/**
 * Whether a broker has refused a request and will refuse it again, as for want of a right. Every other failure may pass:
 * connections, timeouts, the state of the client; and also a name that is not taken, as the client says so too when the
 * connection breaks while it signs in.
 */
export function isRefused(error: unknown): boolean {
  const { name, type, retriable } = rootOf(error)
  return name === 'KafkaJSProtocolError' && retriable === false && !PASSING.includes(type ?? '')
}

/** What a coordinator says to a member that it does not know, or not any more. */
export const OF_GROUPS = [
  'UNKNOWN_MEMBER_ID',
  'ILLEGAL_GENERATION',
  'REBALANCE_IN_PROGRESS',
  'NOT_COORDINATOR_FOR_GROUP',
]
/** Records and brokers that the client cannot read, now or later. */
const UNREADABLE = [
  'KafkaJSNotImplemented',
  'KafkaJSServerDoesNotSupportApiKey',
  'KafkaJSUnsupportedMagicByteInMessageSet',
]

/**
 * Whether a new membership in a group, over connections of its own, may have what another one has ended by: everything
 * but what a broker refuses for good, or the client cannot read.
 */
export function mayRejoin(error: unknown): boolean {
  const { name, type } = rootOf(error)
  return OF_GROUPS.includes(type ?? '') || !(isRefused(error) || UNREADABLE.includes(name ?? ''))
}

type ClientError = { cause?: unknown; name?: string; type?: string; retriable?: boolean }

/** The client wraps what it gives up. */
export function rootOf(error: unknown): ClientError {
  let root = error as ClientError
  while (root.cause instanceof Error) root = root.cause
  return root
}
