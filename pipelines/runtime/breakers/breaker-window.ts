/**
 * When a consumer stops writing dead letters: so many records are dead that the cause must lie elsewhere (ADR 281).
 * When the dead records come from few sources, the fault is theirs, and the records of all other sources are
 * processed (ADR 281).
 */

/** The share of dead records is judged over this many, and only once so many were seen. */
export const WINDOW = 10_000
/** More dead ones in a full window open the breaker: 5 %. */
export const MAX_DEAD = WINDOW * 0.05
/** So many dead ones without a good one between them open it. */
export const IN_A_ROW = 1_000
/** Sources that may be to blame together, and the share of the dead ones that has to be theirs. */
const MOST_CULPRITS = 3
const THEIR_SHARE = 0.9

/** One record: whether it is dead, and its source; null: unknown. */
export type JudgedRecord = { dead: boolean; source: string | null }

/** The last records of a job: which were dead, their sources, how many of them, and how many at the end in a row. */
export type BreakerWindow = {
  /** 1 for a dead record; `next` is the place of the next one, where the oldest stands once all places are taken. */
  readonly records: Uint8Array
  readonly sources: readonly (string | null)[]
  readonly next: number
  /** Records seen, counted up to WINDOW. */
  readonly seen: number
  readonly dead: number
  readonly run: number
}

/**
 * `culprits`: the sources of the dead records; none: the fault does not lie with some sources, and the consumer has
 * to stop.
 */
export type Trip = { ratio: number; run: number; culprits: string[] }

export const emptyWindow = (): BreakerWindow => ({
  records: new Uint8Array(WINDOW),
  sources: [],
  next: 0,
  seen: 0,
  dead: 0,
  run: 0,
})

/** A record that cannot be decoded does not name its source, only the schema it claims. */
export const unreadableSource = (schemaId: number | null): string =>
  `${UNREADABLE} (${schemaId === null ? 'no schema' : `schema ${schemaId}`})`

const UNREADABLE = 'unreadable records'

/**
 * The window after these records, in their order. `trip` says why it opens, at the first record that makes it so; what
 * follows that one is not looked at: `used` of them were. The given window stays as it is.
 */
export function judgeRecords(
  before: BreakerWindow,
  given: readonly JudgedRecord[],
): { window: BreakerWindow; trip: Trip | null; used: number } {
  const records = before.records.slice()
  const sources = before.sources.slice()
  let { next, seen, dead, run } = before
  let used = 0
  for (const { dead: isDead, source } of given) {
    used++
    if (seen === WINDOW) dead -= records[next]!
    else seen++
    records[next] = isDead ? 1 : 0
    sources[next] = source
    next = (next + 1) % WINDOW
    dead += isDead ? 1 : 0
    run = isDead ? run + 1 : 0
    if (run >= IN_A_ROW || (seen === WINDOW && dead > MAX_DEAD)) {
      const window = { records, sources, next, seen, dead, run }
      return { window, used, trip: { ratio: dead / seen, run, culprits: culpritsIn(window) } }
    }
  }
  return { window: { records, sources, next, seen, dead, run }, trip: null, used }
}

/** The window as if these sources had never written anything. */
export function windowWithout(window: BreakerWindow, sources: ReadonlySet<string>): BreakerWindow {
  const kept = [...recordsOf(window)].filter(({ source }) => source === null || !sources.has(source))
  const records = new Uint8Array(WINDOW)
  let run = 0
  for (const [i, { dead }] of kept.entries()) {
    records[i] = dead ? 1 : 0
    run = dead ? run + 1 : 0
  }
  const dead = kept.reduce((sum, record) => sum + (record.dead ? 1 : 0), 0)
  const next = kept.length % WINDOW
  return { records, sources: kept.map(({ source }) => source), next, seen: kept.length, dead, run }
}

function* recordsOf({ records, sources, next, seen }: BreakerWindow): Generator<JudgedRecord> {
  for (let i = 0; i < seen; i++) {
    const place = (next - seen + i + WINDOW) % WINDOW
    yield { dead: records[place] === 1, source: sources[place] ?? null }
  }
}

/**
 * Few sources to which nearly all dead records belong. Several at once, and records that cannot be read, are their
 * writers' fault only where others' records are good: else a release or a registry is wrong that all of them share.
 */
function culpritsIn(window: BreakerWindow): string[] {
  const all = [...recordsOf(window)]
  const judgedOnes = window.run >= IN_A_ROW ? all.slice(-window.run) : all
  const counts = new Map<string | null, number>()
  let dead = 0
  for (const record of judgedOnes)
    if (record.dead) {
      dead++
      counts.set(record.source, (counts.get(record.source) ?? 0) + 1)
    }
  const culprits: string[] = []
  let theirs = 0
  for (const [source, count] of [...counts].sort((a, b) => b[1] - a[1])) {
    if (source === null || culprits.length === MOST_CULPRITS) return []
    culprits.push(source)
    theirs += count
    if (theirs >= dead * THEIR_SHARE) break
  }
  const certain = culprits.length === 1 && !culprits[0]!.startsWith(UNREADABLE)
  return certain || all.some(({ dead: isDead, source }) => !isDead && !culprits.includes(source!)) ? culprits : []
}
