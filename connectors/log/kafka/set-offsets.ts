import type { Admin, Kafka } from 'kafkajs'
import { within } from './within.ts'

const JOIN_MS = 30_000
const LEAVE_MS = 10_000

/**
 * Moves the position of a group that has no members, open intents included. Throws when it has some. Kafka lets only a
 * member commit, so this joins the group for as long as that takes.
 */
export async function setOffsets(
  kafka: Kafka,
  admin: Admin,
  group: string,
  topic: string,
  offsets: readonly { partition: number; offset: number }[],
): Promise<void> {
  const { groups } = await admin.describeGroups([group])
  const members = groups[0]?.members.length ?? 0
  if (members > 0) throw new Error(`group ${group} has ${members} active members; stop them before setting its offsets`)

  const { promise: joined, resolve, reject } = Promise.withResolvers<void>()
  const member = kafka.consumer({
    groupId: group,
    maxWaitTimeInMs: 100,
    retry: { restartOnFailure: async () => false },
  })
  member.on(member.events.GROUP_JOIN, () => resolve())
  member.on(member.events.CRASH, ({ payload }) => reject(payload.error))
  try {
    await member.connect()
    await member.subscribe({ topic, fromBeginning: true })
    await member.run({ autoCommit: false, eachBatchAutoResolve: false, eachBatch: async () => undefined })
    await within(JOIN_MS, 'joining a group', joined)
    const seek = offsets.map(({ partition, offset }) => ({ topic, partition, offset: String(offset), metadata: '' }))
    await member.commitOffsets(seek)
  } finally {
    await within(LEAVE_MS, 'leaving a group', member.disconnect())
  }
}
