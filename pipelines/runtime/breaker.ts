/** When a consumer stops burying: so much is dead that something else than the records must be wrong (ADR 134). */

/** The share of dead records is judged over this many, and only once so many were seen. */
export const WINDOW = 10_000
/** More dead ones in a full window open the breaker: 5 %. */
export const MAX_DEAD = WINDOW * 0.05
/** So many dead ones without a good one between them open it. */
export const IN_A_ROW = 1_000

/** The last records of a job: which were dead, how many of them, and how many at the end in a row. */
export type Window = {
  /** 1 for a dead record; `next` is the place of the next one, where the oldest stands once all places are taken. */
  readonly records: Uint8Array
  readonly next: number
  /** Records seen, counted up to WINDOW. */
  readonly seen: number
  readonly dead: number
  readonly run: number
}

export type Trip = { ratio: number; run: number }

export const emptyWindow = (): Window => ({ records: new Uint8Array(WINDOW), next: 0, seen: 0, dead: 0, run: 0 })

/**
 * The window after these records, in their order; true for a dead one. `trip` says why it opens, at the first record
 * that makes it so; what follows that one is not looked at. The given window stays as it is.
 */
export function judged(before: Window, records: Iterable<boolean>): { window: Window; trip: Trip | null } {
  const places = before.records.slice()
  let { next, seen, dead, run } = before
  let trip: Trip | null = null
  for (const isDead of records) {
    if (seen === WINDOW) dead -= places[next]!
    else seen++
    places[next] = isDead ? 1 : 0
    next = (next + 1) % WINDOW
    dead += isDead ? 1 : 0
    run = isDead ? run + 1 : 0
    if (run >= IN_A_ROW || (seen === WINDOW && dead > MAX_DEAD)) {
      trip = { ratio: dead / seen, run }
      break
    }
  }
  return { window: { records: places, next, seen, dead, run }, trip }
}
