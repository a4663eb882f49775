import { setImmediate as nextTurn } from 'node:timers/promises'
import { pause } from '../../../../platform/pause.ts'
import { pauseAfter, retry } from '../../../../platform/retry.ts'
import { fitting } from '../../fitting.ts'
import { OffsetGone, type Tail, type TailBatch, type TailOptions } from '../../port.ts'
import { runTail } from '../../run-tail.ts'
import { checkKept } from '../../start-tail.ts'
import { isRefused, PAUSES } from '../retry.ts'
import type { TailBrokers } from './brokers.ts'
import { type Fetched, isOutOfRange, Unreadable } from './fetch.ts'

/** What a tail knows of one partition. */
type Followed = {
  readonly partition: number
  /** The offset to read next. */
  next: number
  /** `asked`: in a request that is out. `busy`: its records are handed over. `resting`: after a failure. */
  state: 'free' | 'asked' | 'busy' | 'resting'
  /** When that began. */
  since: number
  /** In a row. */
  failures: number
  /** The turn in which it had records last. */
  served: number
}

/** How long a broker that has no record waits for one, milliseconds. */
const POLL_MS = 2_000
/** The same, at least and at most, while a partition is left out of the request: what comes for it waits so long. */
const SOON_MS = 20
const LATER_MS = 200

/**
 * The partitions of a topic, and which of them the next request to a broker is for: those that wait for records.
 * @param starts the next offset to read of every partition that was there at the start
 */
function followedPartitions(starts: ReadonlyMap<number, number>) {
  const all = new Map<number, Followed>()
  let leaders: ReadonlyMap<number, number> = new Map()
  let turns = 0

  function add(partition: number, next: number): void {
    all.set(partition, { partition, next, state: 'free', since: 0, failures: 0, served: 0 })
  }
  for (const [partition, next] of starts) add(partition, next)

  return {
    get: (partition: number): Followed | undefined => all.get(partition),
    /** Takes over who leads which partition now. One that was not there before is followed from its beginning. */
    led(now: ReadonlyMap<number, number>): void {
      leaders = now
      for (const partition of now.keys()) if (!all.has(partition)) add(partition, 0)
    },
    /** It has records: where one answer does not hold those of all, the others come first the next time. */
    served(one: Followed): void {
      one.served = ++turns
    },
    /** The partitions to ask for, by the broker to ask. */
    wanted(): Map<number, Followed[]> {
      const free = [...all.values()].filter(({ state, partition }) => state === 'free' && leaders.has(partition))
      free.sort((a, b) => a.served - b.served)
      return Map.groupBy(free, ({ partition }) => leaders.get(partition)!)
    },
    /**
     * How long a broker may wait for records of all that `wanted` has for it, milliseconds. A partition that is left out, as
     * its records are being handed over, soon wants more, the later the longer that takes already.
     */
    waitMs(broker: number): number {
      const now = performance.now()
      const others = [...all.values()].filter(
        ({ partition, state }) => state !== 'free' && leaders.get(partition) === broker,
      )
      const ages = others.map(({ since }) => Math.max(SOON_MS, Math.min(LATER_MS, Math.ceil(now - since))))
      return Math.min(POLL_MS, ...ages)
    },
  }
}

function turn(one: Followed, state: Followed['state']): void {
  one.state = state
  one.since = performance.now()
}

/** What one loop waits for and others tell it of. What is told while it does not wait is kept, once. */
export function bell() {
  let told = Promise.withResolvers<void>()
  return {
    ring: (): void => told.resolve(),
    async rung(): Promise<void> {
      await told.promise
      told = Promise.withResolvers()
    },
  }
}

export type FollowPorts = {
  brokers: TailBrokers
  /** The next offset to read of every partition that is there. */
  starts: ReadonlyMap<number, number>
  /** What a partition keeps now. */
  kept(partition: number): Promise<{ low: number; high: number }>
  /** How soon partitions that were added are found, milliseconds. */
  metadataMs: number
}

/** Bytes of one answer on the wire. */
const MAX_FETCH = 8 * 1024 * 1024

/**
 * Follows the partitions of a topic with one request at a time to each broker, for those of its partitions that wait for
 * records. A partition whose records are handed over is left out: beside what one answer had for it, `maxBytes` at most as
 * its producers packed them, nothing is held of it.
 */
export function followBrokers(
  { brokers, starts, kept, metadataMs }: FollowPorts,
  options: TailOptions,
  eachBatch: (batch: TailBatch) => Promise<void> | void,
): Tail {
  const { topic, maxBytes } = options
  const followed = followedPartitions(starts)
  const askedBrokers = new Set<number>()
  const handing = new Set<Promise<void>>()
  const [changed, stale] = [bell(), bell()]

  return runTail(async ({ signal, fail }) => {
    const timer = setInterval(stale.ring, metadataMs)
    signal.addEventListener('abort', () => {
      clearInterval(timer)
      changed.ring()
      stale.ring()
      brokers.close()
    })
    // Neither waits for an answer that is still out when the tail ends.
    void lookForLeaders()
    while (!signal.aborted) {
      for (const [broker, wanted] of followed.wanted()) if (!askedBrokers.has(broker)) void ask(broker, wanted)
      await changed.rung()
    }
    await Promise.all(handing)

    async function lookForLeaders(): Promise<void> {
      const again = (error: unknown): boolean => !signal.aborted && !isRefused(error)
      try {
        while (!signal.aborted) {
          const untilFound = { pausesMs: PAUSES, forMs: Infinity, shouldRetry: again, signal }
          followed.led(await retry(brokers.leaders, untilFound))
          changed.ring()
          await stale.rung()
        }
      } catch (error) {
        if (!signal.aborted) fail(error)
      }
      brokers.close()
    }

    async function ask(broker: number, wanted: Followed[]): Promise<void> {
      askedBrokers.add(broker)
      const waitMs = followed.waitMs(broker)
      for (const one of wanted) turn(one, 'asked')
      try {
        const partitionBytes = Math.min(maxBytes, MAX_FETCH)
        const bounds = { partitionBytes, maxBytes: Math.min(MAX_FETCH, partitionBytes * wanted.length), waitMs }
        const answers = await brokers.fetch(
          broker,
          wanted.map(({ partition, next }) => ({ partition, offset: next })),
          bounds,
        )
        for (const answer of answers) take(followed.get(answer.partition), answer)
        // What is done with its records at once is in the next request again.
        await nextTurn()
      } catch (error) {
        if (isRefused(error)) fail(error)
        brokers.drop(broker)
        for (const one of wanted) rest(one)
      }
      for (const one of wanted) if (one.state === 'asked') turn(one, 'free')
      askedBrokers.delete(broker)
      // A connection that was being made is found only now.
      if (signal.aborted) brokers.close()
      changed.ring()
    }

    function take(one: Followed | undefined, answer: Fetched): void {
      if (one?.state !== 'asked' || signal.aborted) return
      const { error } = answer
      if (error === null) {
        one.failures = 0
        if (answer.to > one.next) hand(one, answer)
      } else if (isOutOfRange(error)) void outOfRange(one)
      else if (error instanceof Unreadable || isRefused(error)) fail(error)
      else rest(one)
    }

    function hand(one: Followed, answer: Fetched): void {
      turn(one, 'busy')
      followed.served(one)
      const done = handOver(one, answer)
        .catch(fail)
        .finally(() => {
          turn(one, 'free')
          handing.delete(done)
          changed.ring()
        })
      handing.add(done)
    }

    async function handOver(one: Followed, { messages, to: end, highWatermark }: Fetched): Promise<void> {
      const { partition } = one
      for (let at = 0; at < messages.length; ) {
        if (signal.aborted) return
        const batch = messages.slice(at, at + fitting(messages, options, at))
        at += batch.length
        const to = at === messages.length ? end : batch.at(-1)!.offset + 1
        await eachBatch({ partition, messages: batch, to, highWatermark })
        one.since = performance.now()
      }
      one.next = end
    }

    /** The broker says so also for a moment, while it has not heard yet what the last leader had. */
    async function outOfRange(one: Followed): Promise<void> {
      turn(one, 'busy')
      try {
        checkKept(topic, one.next, { partition: one.partition, ...(await kept(one.partition)) })
      } catch (error) {
        if (error instanceof OffsetGone || isRefused(error)) fail(error)
      }
      rest(one)
    }

    function rest(one: Followed): void {
      if (signal.aborted) return
      turn(one, 'resting')
      stale.ring()
      void pause(pauseAfter(++one.failures, PAUSES), signal).then(() => {
        turn(one, 'free')
        changed.ring()
      })
    }
  })
}
