import { AssignerProtocol, type Cluster } from 'kafkajs'
import { expect, test } from 'vitest'
import { oneMember } from '../../../../../../connectors/log/kafka/group/member-config.ts'

const TOPICS = ['changes', 'commands']
const PARTITIONS = [0, 1, 2]
const cluster = {
  findTopicPartitionMetadata: () => PARTITIONS.map((partitionId) => ({ partitionId })),
} as unknown as Cluster

/** Who gets the partitions among members that say under which id they have them. */
async function leaders(members: Record<string, string>): Promise<string[]> {
  const given = Object.entries(members).map(([memberId, leading]) => ({
    memberId,
    memberMetadata: oneMember(() => leading)({ cluster, groupId: 'g', logger: {} as never }).protocol({
      topics: TOPICS,
    }).metadata,
  }))
  const assigned = await oneMember(() => '')({ cluster, groupId: 'g', logger: {} as never }).assign({
    members: given,
    topics: TOPICS,
  })
  expect(assigned.map(({ memberId }) => memberId).sort()).toEqual(Object.keys(members).sort())
  return assigned.flatMap(({ memberId, memberAssignment }) => {
    const { assignment } = AssignerProtocol.MemberAssignment.decode(memberAssignment)!
    if (Object.keys(assignment).length === 0) return []
    expect(assignment).toEqual({ changes: PARTITIONS, commands: PARTITIONS })
    return [memberId]
  })
}

test('all partitions go to the member that has them, whoever joins', async () => {
  expect(await leaders({ c: 'c', a: '', b: '' })).toEqual(['c'])
})

test('when nobody has them, one member gets them', async () => {
  expect(await leaders({ c: '', a: '', b: '' })).toEqual(['a'])
})

test('a process that lost them while it was away, and comes back under another id, takes nothing from its successor', async () => {
  expect(await leaders({ a: 'the id of before', c: 'c' })).toEqual(['c'])
})
