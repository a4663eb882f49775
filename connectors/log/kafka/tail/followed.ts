/** What a tail knows of one partition. */
export type Followed = {
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
export function followedPartitions(starts: ReadonlyMap<number, number>) {
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

export function turn(one: Followed, state: Followed['state']): void {
  one.state = state
  one.since = performance.now()
}
