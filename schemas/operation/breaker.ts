/** The breaker of a consumer group as it is kept between processes: a record of `consumer.breakers`, by group. */

/** Times are unix milliseconds. */
export type BreakerState = {
  group: string
  /** An isolated source: its failing records become dead letters and stop no other source (ADR 281). null: the whole group. */
  source: string | null
  open: boolean
  at: number
  /** Which process or person opened or closed it. */
  by: string
  /** Of an open one: the topic, what share of the last records was dead, how many in a row, and why, the first of them. */
  topic: string | null
  ratio: number | null
  run: number | null
  reasons: string[]
  /** Of a closed one: how many more dead letters do not count. */
  allow: number
}

/** Dead letters that a closing may let pass at most. */
export const MAX_ALLOWED = 1_000_000

/** The state in a record; null for bytes that are none. */
export function readBreaker(bytes: Buffer): BreakerState | null {
  try {
    const { group, source, open, at, by, topic, ratio, run, reasons, allow } = JSON.parse(bytes.toString())
    if (typeof group !== 'string' || typeof open !== 'boolean' || !Number.isFinite(at)) return null
    return {
      group,
      source: typeof source === 'string' ? source : null,
      open,
      at,
      by: String(by ?? ''),
      topic: typeof topic === 'string' ? topic : null,
      ratio: Number.isFinite(ratio) ? ratio : null,
      run: Number.isFinite(run) ? run : null,
      reasons: Array.isArray(reasons) ? reasons.map(String) : [],
      allow: Number.isSafeInteger(allow) && allow > 0 ? Math.min(allow, MAX_ALLOWED) : 0,
    }
  } catch {
    return null
  }
}

/** The key of its record. */
export const breakerKey = ({ group, source }: Pick<BreakerState, 'group' | 'source'>): string =>
  source === null ? group : `${group} ${source}`

/** A breaker that an administrator closed: the next `allow` dead letters do not count. */
export const closedBreaker = (
  group: string,
  by: string,
  at: number,
  allow: number,
  source: string | null = null,
): BreakerState => ({
  group,
  source,
  open: false,
  at,
  by,
  allow,
  topic: null,
  ratio: null,
  run: null,
  reasons: [],
})

/** The sources that stand alone in a group, of the states of all. */
export const aloneIn = (states: readonly BreakerState[], group: string): (BreakerState & { source: string })[] =>
  states.filter((state): state is BreakerState & { source: string } => {
    return state.group === group && state.source !== null && state.open
  })
