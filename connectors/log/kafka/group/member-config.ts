import type { ConsumerConfig } from 'kafkajs'
import type { ConsumeOptions } from '../../port.ts'
import { oneMember } from './one-member.ts'

export type GroupTimes = { sessionMs: number; heartbeatMs: number; rebalanceMs: number; metadataMs: number }

const MAX_FETCH = 32 * 1024 * 1024
/** A fetch waits for this much, or for the linger, whichever comes first. */
const ENOUGH = 1024 * 1024
/** Six seconds of attempts: a leader that moves is met by one of the first, and a new membership looks for all brokers anew. */
const ATTEMPTS = { initialRetryTime: 100, maxRetryTime: 5_000, retries: 5 }

/**
 * The settings of a member of a group.
 * @param leading the id under which this process leads; empty: it does not
 */
export function memberConfig(
  times: GroupTimes,
  { group, maxBytes, lingerMs, leader }: ConsumeOptions,
  leading: () => string,
): ConsumerConfig {
  const fetchBytes = Math.min(maxBytes, MAX_FETCH)
  return {
    groupId: group,
    ...(leader === undefined ? {} : { partitionAssigners: [oneMember(leading)] }),
    sessionTimeout: times.sessionMs,
    heartbeatInterval: times.heartbeatMs,
    rebalanceTimeout: times.rebalanceMs,
    metadataMaxAge: times.metadataMs,
    allowAutoTopicCreation: false,
    maxBytes: fetchBytes,
    maxBytesPerPartition: fetchBytes,
    minBytes: lingerMs > 0 ? Math.min(fetchBytes, ENOUGH) : 1,
    maxWaitTimeInMs: lingerMs > 0 ? lingerMs : 100,
    // A crashed member is not restarted in place: that has been seen to come back with the assignment of before.
    retry: { ...ATTEMPTS, restartOnFailure: async () => false },
  }
}
