/** Turns of the event loop for work that is cut into slices (ADR 221). */

/**
 * Resolves when the caller has the next slice. Of all that share the turns, one has a slice between two rounds of the event
 * loop: however many bodies there are, other requests wait for one slice only.
 */
export function newTurns(): () => Promise<void> {
  const waiting: (() => void)[] = []
  const next = (): void => {
    waiting.shift()!()
    if (waiting.length > 0) setImmediate(next)
  }
  return () =>
    new Promise((resolve) => {
      if (waiting.push(resolve) === 1) setImmediate(next)
    })
}
