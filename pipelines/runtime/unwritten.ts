/** Another text whenever something may have been written to the history store; null where nobody says. */
export type Written = () => string | null

/**
 * So long at most an answer is taken for the present one: the store also drops rows by itself, and ends what it was told
 * to change later.
 */
const LONGEST_MS = 30_000

export type Unwritten = {
  /** Whether the answer that was noted last would be given again. */
  holds(): boolean
  /**
   * Called before a question; what it returns, once it is answered. `until`: when time alone changes the answer, by the
   * clock that was given.
   */
  asking(): (until?: number) => void
}

/**
 * For who asks the store the same thing again and again: while nothing was written, the answer is the one of before (ADR
 * 248). Where nobody says whether something was, none ever holds.
 */
export function unwritten(written: Written | undefined, now: () => number): Unwritten {
  let noted: { written: string; from: number; until: number } | null = null
  return {
    holds() {
      if (noted === null) return false
      const at = now()
      // A clock that was set back says nothing.
      return at >= noted.from && at < noted.until && written?.() === noted.written
    },
    asking() {
      noted = null
      const [before, from] = [written?.() ?? null, now()]
      return (until = Number.POSITIVE_INFINITY) => {
        if (before !== null) noted = { written: before, from, until: Math.min(until, from + LONGEST_MS) }
      }
    },
  }
}
