/** Where topics and consumer groups stand. */

/** Times are unix milliseconds, to the second; null: there is none. */
export type TopicStatus = {
  topic: string
  partitions: { partition: number; low: number; high: number }[]
  /** Offsets between the watermarks: after compaction fewer records may be there. */
  records: number
  /** When the newest record was written. */
  newest: number | null
  /** How long records are kept; null: for ever. */
  retentionMs: number | null
  cleanup: 'delete' | 'compact'
}

export type PartitionLag = {
  group: string
  topic: string
  partition: number
  /** The next offset that the group reads; null: it has not committed one. */
  committed: number | null
  end: number
  lag: number
  /** When the oldest record was written that it has not read. */
  oldestUnread: number | null
}

export interface ConsumerLag {
  topics(): Promise<TopicStatus[]>
  lag(): Promise<PartitionLag[]>
}
