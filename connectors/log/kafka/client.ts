import type { Kafka as Client, RetryOptions, SASLOptions } from 'kafkajs'
import { registerCodecs } from './codecs/codecs.ts'
import kafkajs from './codecs/patched-client.ts'

const { Kafka, logLevel } = kafkajs

export type KafkaLogOptions = {
  /** host:port of one or more brokers. */
  brokers: string[]
  /** TLS to every broker, its certificate checked against those that Node trusts (NODE_EXTRA_CA_CERTS adds to them). */
  tls?: boolean
  /** The credentials for the brokers; null: anonymous. */
  sasl?: { mechanism: 'plain' | 'scram-sha-256' | 'scram-sha-512'; username: string; password: string } | null
  /** Shown in the broker's logs; default `harrier`. */
  clientId?: string
  /** How brokers compress what they keep; default zstd. Producers may send as they like. */
  compression?: 'zstd' | 'gzip' | 'uncompressed'
  /** A member that gives no sign for this long loses its partitions, milliseconds; default 30,000. */
  sessionMs?: number
  /** Time between signs, and so how soon a member learns of a rebalance, milliseconds; default 1,000. */
  heartbeatMs?: number
  /** How long the group waits for a member to finish its batch when partitions move, milliseconds; default 60,000. */
  rebalanceMs?: number
  /** How soon a consumer or a tail learns of partitions that were added, milliseconds; default 30,000. */
  metadataMs?: number
  /** How long a send tries before it rejects, milliseconds; default 30,000. */
  sendRetryMs?: number
  /** Called when a consumer has lost its place in its group by no fault of its own, and begins anew. */
  onLost?: (news: { group: string; reason: string }) => void
  /** Called for every warning and error of the client. */
  warn?: (message: string, fields: Record<string, unknown>) => void
}

type RequestSettings = { requestTimeout: number; retry: RetryOptions }

/** Of consumers and of the admin client. */
const MANY_ATTEMPTS: RequestSettings = {
  requestTimeout: 30_000,
  retry: { initialRetryTime: 100, maxRetryTime: 5_000, retries: 8 },
}
/** Where `deliver.ts` and tails try again by themselves: the client's attempts within attempts add up to minutes. */
export const ONE_ATTEMPT: RequestSettings = { requestTimeout: 15_000, retry: { retries: 0 } }

/** A client with connection settings. */
export function kafkaClient(
  { brokers, tls = false, sasl, clientId = 'harrier', warn }: KafkaLogOptions,
  requests = MANY_ATTEMPTS,
): Client {
  registerCodecs()
  return new Kafka({
    brokers,
    clientId,
    ssl: tls,
    // A copy: the client writes into it what knows the password. Safe: each mechanism has the same fields.
    ...(sasl ? { sasl: { ...sasl } as SASLOptions } : {}),
    ...requests,
    enforceRequestTimeout: true,
    connectionTimeout: 5_000,
    logLevel: logLevel.WARN,
    logCreator:
      () =>
      ({ namespace, log: { message, timestamp: _, logger: __, ...fields } }) =>
        warn?.(`${namespace}: ${message}`, fields),
  })
}
