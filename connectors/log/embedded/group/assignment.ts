export type TopicPartition = { topic: string; partition: number }
export type GroupMember = { id: string; topics: string[] }

/**
 * Assigns partitions: of each topic, the members that subscribed to it take turns in the order of their ids,
 * each topic beginning one member further so that topics of one partition do not all meet the same member.
 */
export function assignPartitions(
  topics: readonly { name: string; partitions: number }[],
  members: readonly GroupMember[],
): Map<string, TopicPartition[]> {
  const sorted = [...members].sort((a, b) => (a.id < b.id ? -1 : 1))
  const assigned = new Map<string, TopicPartition[]>(sorted.map(({ id }) => [id, []]))
  let turn = 0
  for (const { name, partitions } of [...topics].sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const takers = sorted.filter((member) => member.topics.includes(name))
    if (takers.length === 0) continue
    for (let partition = 0; partition < partitions; partition++)
      assigned.get(takers[turn++ % takers.length]!.id)!.push({ topic: name, partition })
  }
  return assigned
}
