import type { Stated } from './statement.ts'

/** Moments that are tried for one statement: more than one event has reasons for. */
const MOST = 1_000

/**
 * Gives the statements of an event their times, in unix milliseconds from `base` on, so that two that say something of one
 * entity have different ones: a retraction is of one entity and one window, and takes back one of them alone. Only the mere
 * naming of an entity shares a moment with another naming.
 */
export function moments(base: number): { of(statement: Stated): number; last(): number } {
  const plain = new Set<string>()
  const full = new Set<string>()
  let last = base
  return {
    of({ said }) {
      let at = base
      const isTaken = (): boolean =>
        said.some(({ entityId, isPlain }) => {
          const place = `${entityId} ${at}`
          return full.has(place) || (!isPlain && plain.has(place))
        })
      while (at < base + MOST && isTaken()) at++
      for (const { entityId, isPlain } of said) (isPlain ? plain : full).add(`${entityId} ${at}`)
      last = Math.max(last, at)
      return at
    },
    last: () => last,
  }
}
