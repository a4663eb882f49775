import { AssignerProtocol, type PartitionAssigner } from 'kafkajs'

const { MemberAssignment, MemberMetadata } = AssignerProtocol
const NAME = 'OneMember'
const VERSION = 0
const LEADS = 1

/**
 * Gives every partition to one member of a group: to the one that has them already, so that a process which joins takes
 * nothing away, else to the first by its id. The broker decides who is a member, so it decides who leads.
 * @param isLeading whether this member has the partitions
 */
export const oneMember =
  (isLeading: () => boolean): PartitionAssigner =>
  ({ cluster }) => ({
    name: NAME,
    version: VERSION,
    async assign({ members, topics }) {
      const ids = members.map(({ memberId }) => memberId).sort()
      const leading = members
        .filter(({ memberMetadata }) => MemberMetadata.decode(memberMetadata)?.userData[0] === LEADS)
        .map(({ memberId }) => memberId)
        .sort()
      const leader = leading[0] ?? ids[0]
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
      metadata: MemberMetadata.encode({ version: VERSION, topics, userData: Buffer.of(isLeading() ? LEADS : 0) }),
    }),
  })
