/** Status of topics, and lag of consumer groups. */

/** Times are unix milliseconds, rounded to the second; null when there is none. */
export type TopicStatus = {
  topic: string
  partitions: { partition: number; low: number; high: number }[]
  /** Number of offsets between the watermarks; after compaction fewer records exist. */
  records: number
  /** When the newest record was written. */
  newest: number | null
  /** Retention; null keeps records for ever. */
  retentionMs: number | null
  cleanup: 'delete' | 'compact'
}

export type PartitionLag = {
  group: string
  topic: string
  partition: number
  /** The next offset that the group reads; null when it has not committed one. */
  committed: number | null
  end: number
  lag: number
  /** When the oldest record that the group has not read was written. */
  oldestUnread: number | null
}

export interface ConsumerLag {
  topics(): Promise<TopicStatus[]>
  lag(): Promise<PartitionLag[]>
}
