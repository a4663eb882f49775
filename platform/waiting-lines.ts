/** Questions that share a statement with others of their kind: most of what it costs is the same for one and for thirty. */

export type LineBounds = {
  /** Groups of one line that are asked at once; questions that come meanwhile wait for one of them to end. */
  atOnce: number
  /** Questions of a group. */
  most: number
  /** Questions that wait in one line. */
  maxWaiting: number
  /**
   * Milliseconds in which those who were just answered may ask again, before the next group is asked without them: two
   * halves that take turns cost more than the whole. What comes in one turn of the event loop is then asked together from
   * the start. Without it nothing is waited for but the end of a group.
   */
  gatherMs?: number
}

type Line<One> = {
  running: number
  waiting: One[]
  /** A place that is kept for so many questions. */
  gathering: { wanted: number; start: () => void } | null
}

/**
 * Lines of questions, each by the name of those who may share an answer. A question that finds as many groups running as
 * may waits for one of them to end, and is then asked together with all others that wait: never of a statement that began
 * before it came (ADR 272).
 * @param ask resolves when each of a group has its answer; never rejects
 */
export function waitingLines<One>(
  ask: (group: readonly One[]) => Promise<void>,
  { atOnce, most, maxWaiting, gatherMs }: LineBounds,
) {
  const lines = new Map<string, Line<One>>()

  function next(name: string): void {
    const line = lines.get(name)!
    const group = line.waiting.splice(0, most)
    if (group.length > 0) {
      void ask(group).finally(() => {
        if (gatherMs === undefined || line.gathering !== null) next(name)
        else gather(name, line, Math.min(most, group.length + line.waiting.length))
      })
      return
    }
    line.running--
    if (line.running === 0) lines.delete(name)
  }

  function gather(name: string, line: Line<One>, wanted: number): void {
    const start = (): void => {
      clearTimeout(timer)
      line.gathering = null
      next(name)
    }
    const timer = setTimeout(start, gatherMs)
    line.gathering = { wanted, start }
  }

  /** Returns false when too many wait: the question is to be asked alone. */
  return (name: string, one: One): boolean => {
    const line = lines.get(name) ?? { running: 0, waiting: [], gathering: null }
    if (line.waiting.length >= maxWaiting) return false
    lines.set(name, line)
    line.waiting.push(one)
    if (line.gathering !== null) {
      if (line.waiting.length >= line.gathering.wanted) line.gathering.start()
    } else if (line.running < atOnce) {
      line.running++
      if (gatherMs === undefined) next(name)
      else setImmediate(next, name)
    }
    return true
  }
}
