/**
 * The event log: Kafka, or the embedded one with the same manners. `tests/contract/log/promises` names every promise.
 * Offsets are JavaScript numbers: exact up to 2^53 records a partition.
 */

export type TopicSpec = {
  name: string
  partitions: number
  /** `compact` keeps the last value of every key; a null value (tombstone) removes the key. */
  cleanup: 'delete' | 'compact'
  /** Milliseconds; null keeps for ever. */
  retentionMs: number | null
}

export type OutgoingMessage = {
  key: string | Buffer | null
  /** null is a tombstone. */
  value: Buffer | null
  headers?: Record<string, string>
  /** Unix milliseconds; default: the time of the append. */
  timestamp?: number
  /** Default: murmur2 of the key as Kafka's own clients do it; sticky per call without a key. */
  partition?: number
  /** The sender has checked what it encoded, as a reader would (see `LogMessage`). */
  checked?: boolean
}

export type LogMessage = {
  offset: number
  timestamp: number
  key: Buffer | null
  value: Buffer | null
  headers: Record<string, string>
  /**
   * Whether the sender has checked it by the rules of this release, so that its reader need not. Only a log that no other
   * program writes to can say so: on Kafka anybody may write to a topic, and a header is their word.
   */
  checked?: boolean
}

export type Batch = {
  topic: string
  partition: number
  /** In offset order, never empty. Compaction may have left gaps between offsets. */
  messages: LogMessage[]
  /** The range [from, to): `from` is the group's position, `to` the next offset to read after this batch. */
  from: number
  to: number
  /** What `intent` noted for this range, and whether an earlier member began it and did not finish. */
  note: string
  redelivered: boolean
  /** Next offset the log will give: lag after this batch is highWatermark - to. */
  highWatermark: number
  /** Aborted when the partition is revoked or the consumer stops: do not begin further writes. */
  signal: AbortSignal
}

/** Records [from, to) of a partition that a group has not read yet. `signal`: that of their batch. */
export type Unread = Pick<Batch, 'topic' | 'partition' | 'from' | 'to' | 'signal'>

export type ConsumeOptions = {
  group: string
  topics: string[]
  maxRecords: number
  maxBytes: number
  /** How long a partition may wait for more records before a smaller batch is handed out. */
  lingerMs: number
  /** All partitions go to one member of the group. On the embedded log that is every member: one process has them all. */
  leader?: Leadership
  /**
   * Longer waits while a partition has much: milliseconds that a wait and the batch after it may take together, by how many
   * records a second came; 0 keeps to `lingerMs`. The embedded log alone; Kafka's client waits for bytes.
   */
  stretch?: (recordsPerSecond: number) => number
  /**
   * Called before a batch is handed out for the first time; what it returns (at most 2 KiB) is recorded durably
   * with the range [from, to). A range that was begun is handed out again with exactly the same bounds and note until
   * `eachBatch` resolves, whichever member owns the partition then. Without it, ranges may be cut differently when repeated.
   */
  intent?: (range: { topic: string; partition: number; from: number; to: number }) => Promise<string> | string
  /**
   * Asked before records are handed out that nobody has begun: whether the group has no use for them, whatever they are.
   * The position moves past them then, and they are neither read nor decoded. What it throws ends the consumer, as what
   * `eachBatch` throws does.
   */
  skips?: (records: Unread) => Promise<boolean>
}

/** A group of which one member has every partition, and the others wait to take over. */
export type Leadership = {
  /**
   * Whether this member has the partitions from now on. Awaited before its first batch; false also when it gave no sign of
   * life for so long that another one may have them soon. Never told twice the same.
   */
  changed(leads: boolean): Promise<void>
}

export type Consumer = {
  /** Stops after the running batch, leaves the group. */
  stop(): Promise<void>
  /** Rejects when eachBatch threw or the log failed for good: nothing was committed past that batch. */
  closed: Promise<void>
}

export type TailOptions = {
  topic: string
  /**
   * The next offset to read, by partition; partitions that are not named begin at their end of now. Whoever goes on from
   * what was kept names those that were added since, at 0.
   */
  from: readonly { partition: number; offset: number }[]
  /** Records of one batch, and about how many bytes of keys and values (one record at least). */
  maxRecords: number
  maxBytes: number
}

export type TailBatch = {
  partition: number
  /** In offset order, never empty. Compaction may have left gaps between offsets. */
  messages: LogMessage[]
  /** The next offset to read after this batch: a tail that begins there goes on without gap or repeat. */
  to: number
  /** Next offset the log will give: lag after this batch is highWatermark - to. */
  highWatermark: number
}

export type Tail = {
  /** Waits for the running batches, of which none may wait for this; none comes afterwards. */
  stop(): Promise<void>
  /** Rejects with OffsetGone, with what eachBatch threw, or when the log failed for good. */
  closed: Promise<void>
}

/** What a tail would read next is not there: retention has removed it, or the partition ends before it. */
export class OffsetGone extends Error {
  readonly topic: string
  readonly partition: number
  readonly offset: number
  /** The partition keeps [low, high). */
  readonly low: number
  readonly high: number
  constructor(topic: string, partition: number, offset: number, kept: { low: number; high: number }) {
    const { low, high } = kept
    super(
      `topic ${topic} partition ${partition}: offset ${offset} is gone; what is kept begins at ${low}, ends at ${high}`,
    )
    this.name = 'OffsetGone'
    this.topic = topic
    this.partition = partition
    this.offset = offset
    this.low = low
    this.high = high
  }
}

export interface EventLog {
  /**
   * Idempotent. Fails when a topic exists with fewer partitions. Of one with more, those beyond the declared number are
   * read like all others, but keys are not given to them: a key stays where it was (ADR 267).
   */
  createTopics(topics: readonly TopicSpec[]): Promise<void>
  /** Every topic that is there, in no order. */
  topicNames(): Promise<string[]>
  /** Resolves once every message is durable; a rejection may have written some of them. Order per key is kept. */
  send(batches: readonly { topic: string; messages: readonly OutgoingMessage[] }[]): Promise<void>
  offsets(topic: string): Promise<{ partition: number; low: number; high: number }[]>
  /** The first offset whose timestamp is at or after `time`; the high watermark without one. */
  offsetsAt(topic: string, time: number): Promise<{ partition: number; offset: number }[]>
  /**
   * Records of [from, to) of one partition, at most `maxRecords` of them and about `maxBytes` of keys and values (one
   * record at least, default: any number); outside any group.
   */
  read(
    topic: string,
    partition: number,
    from: number,
    to: number,
    maxRecords: number,
    maxBytes?: number,
  ): Promise<LogMessage[]>
  /**
   * Every record of [from, to) of one partition that is there, in order; outside any group. Made as it is asked for, in
   * portions of some thousands of records (one at least, about 10 MiB at most), so that little is held at a time. For a
   * whole log: many reads of it would cost Kafka a group each, and the embedded log a second unpacking of their ends.
   */
  scan(topic: string, partition: number, from: number, to: number): AsyncIterable<LogMessage[]>
  /** null: the group has not committed an offset for this partition. */
  committed(group: string, topic: string): Promise<{ partition: number; offset: number | null }[]>
  /** Only while the group has no members (as Kafka): otherwise rejects. Clears open intents. */
  setOffsets(group: string, topic: string, offsets: readonly { partition: number; offset: number }[]): Promise<void>
  /** Hands out batches of a partition one after another, of several partitions concurrently; commits `to` after each. */
  consume(options: ConsumeOptions, eachBatch: (batch: Batch) => Promise<void>): Promise<Consumer>
  /**
   * Follows one topic outside of any group, without commits; what each process reads of it is its own. Resolves once the
   * positions are known: everything appended after that is handed over. Batches of a partition come in offset order
   * without gap or repeat, the next one after `eachBatch` of the last; several partitions go on independently. Soon after
   * an append (some 50 ms) where nothing is being worked on. While a broker is away or has lost a partition this looks again,
   * for as long as it takes; partitions that are added are followed from their beginning (ADR 271).
   * @throws OffsetGone; Error when the topic or a partition is not there or a bound is below one
   */
  tail(options: TailOptions, eachBatch: (batch: TailBatch) => Promise<void> | void): Promise<Tail>
  /** Rejects with the reason when the log cannot be reached. */
  ping(): Promise<void>
  close(): Promise<void>
}
