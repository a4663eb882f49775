import { AssignerProtocol, type ConsumerConfig, type PartitionAssigner } from 'kafkajs'
import type { ConsumeOptions } from '../../port.ts'

const { MemberAssignment, MemberMetadata } = AssignerProtocol
const NAME = 'OneMember'
const VERSION = 0

/**
 * Gives every partition to one member of a group: to the one that has them already, so that a process which joins takes
 * nothing away, else to the first by its id. The broker decides who is a member, so it decides who leads. A member says
 * under which id it has the partitions: a process that was away so long that the broker took them comes back under
 * another id, and has nothing.
 * @param leading the id under which this process has the partitions; empty: it has none
 */
export const oneMember =
  (leading: () => string): PartitionAssigner =>
  ({ cluster }) => ({
    name: NAME,
    version: VERSION,
    async assign({ members, topics }) {
      const ids = members.map(({ memberId }) => memberId).sort()
      const has = members.find(
        ({ memberId, memberMetadata }) => MemberMetadata.decode(memberMetadata)?.userData.toString() === memberId,
      )
      const leader = has?.memberId ?? ids[0]
      const all = Object.fromEntries(
        topics.map((topic) => [topic, cluster.findTopicPartitionMetadata(topic).map(({ partitionId }) => partitionId)]),
      )
      return members.map(({ memberId }) => ({
        memberId,
        memberAssignment: MemberAssignment.encode({
          version: VERSION,
          assignment: memberId === leader ? all : {},
          userData: Buffer.alloc(0),
        }),
      }))
    },
    protocol: ({ topics }) => ({
      name: NAME,
      metadata: MemberMetadata.encode({ version: VERSION, topics, userData: Buffer.from(leading()) }),
    }),
  })

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
