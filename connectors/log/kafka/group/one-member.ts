import { AssignerProtocol, type PartitionAssigner } from 'kafkajs'

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
