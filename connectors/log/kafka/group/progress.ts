import type { Admin } from 'kafkajs'

/** Milliseconds between two looks, each a question to the brokers. */
const LOOK_MS = 10_000
/** With the look that finds it, a consumer that stands still is noticed within 30 s. */
const PATIENCE_MS = 20_000

/** What a member does with a partition that it has. */
export type Doing = {
  /** A batch is being worked on: that takes as long as it takes. */
  isBusy(topic: string, partition: number): boolean
  /** Records that were fetched and not handed out. */
  waiting(topic: string, partition: number): number
  /** Called once, with what stands still. */
  stalled(why: string): void
}

export type ProgressOptions = { patienceMs?: number; lookMs?: number; now?: () => number }

export type ProgressWatch = {
  /** These partitions from now on, by topic. */
  assigned(partitions: Record<string, readonly number[]>): void
  /** The client has fetched up to `to`, gaps and what it leaves out included. */
  fetched(topic: string, partition: number, to: number): void
  stop(): void
}

/**
 * Watches that a member of a group goes on: where a partition has records that were not fetched, or that were fetched and
 * are not worked on, and several looks find it where it was, it stands still (ADR 253). Asks others than the client that
 * consumes: the brokers, by the admin client. A look that gets no answer counts for nothing.
 */
export function watchProgress(
  admin: Pick<Admin, 'fetchOffsets' | 'fetchTopicOffsets'>,
  groupId: string,
  { isBusy, waiting, stalled }: Doing,
  { patienceMs = PATIENCE_MS, lookMs = LOOK_MS, now = () => performance.now() }: ProgressOptions = {},
): ProgressWatch {
  let topics: Record<string, readonly number[]> = {}
  let looking = false
  const reached = new Map<string, number>()
  /** Where a partition stood, and since when. */
  const stood = new Map<string, { at: string; since: number }>()

  async function look(): Promise<void> {
    const asked = topics
    for (const [topic, mine] of Object.entries(asked)) {
      if (mine.length === 0) continue
      const [[of], ends] = await Promise.all([
        admin.fetchOffsets({ groupId, topics: [topic] }),
        admin.fetchTopicOffsets(topic),
      ])
      // It was assigned anew meanwhile.
      if (asked !== topics) return
      const committed = new Map(of?.partitions.map(({ partition, offset }) => [partition, Number(offset)]))
      for (const { partition, low, high } of ends)
        if (mine.includes(partition))
          note(topic, partition, Math.max(Number(low), committed.get(partition) ?? 0), Number(high))
    }
  }

  function note(topic: string, partition: number, done: number, high: number): void {
    const name = `${topic}/${partition}`
    const fetched = Math.max(done, reached.get(name) ?? 0)
    const behind = high > fetched || waiting(topic, partition) > 0
    if (!behind || isBusy(topic, partition)) return void stood.delete(name)
    const at = `${done}/${fetched}`
    const before = stood.get(name)
    if (before?.at !== at) return void stood.set(name, { at, since: now() })
    if (now() - before.since < patienceMs) return
    const seconds = Math.round((now() - before.since) / 1000)
    stalled(`${name} has been at ${done} of ${high} for ${seconds} s`)
  }

  const timer = setInterval(() => {
    if (looking) return
    looking = true
    look()
      .catch(() => undefined)
      .finally(() => {
        looking = false
      })
  }, lookMs)
  timer.unref()

  return {
    assigned(partitions) {
      topics = partitions
      reached.clear()
      stood.clear()
    },
    fetched(topic, partition, to) {
      reached.set(`${topic}/${partition}`, to)
    },
    stop: () => clearInterval(timer),
  }
}
