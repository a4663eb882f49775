/** Questions that share a statement with others of their kind: most of what it costs is the same for one and for thirty. */

export type LineBounds = {
  /** Groups of one line that are asked at once; questions that come meanwhile wait for one of them to end. */
  atOnce: number
  /** Questions of a group. */
  most: number
  /** Questions that wait in one line. */
  maxWaiting: number
}

/**
 * Lines of questions, each by the name of those who may share an answer. A question that finds as many groups running as
 * may waits for one of them to end, and is then asked together with all others that wait: never of a statement that began
 * before it came (ADR 272).
 * @param ask resolves when each of a group has its answer; never rejects
 * @param how `gathered`: what comes in one turn of the event loop is asked together from the start
 */
export function waitingLines<One>(
  ask: (group: readonly One[]) => Promise<void>,
  { atOnce, most, maxWaiting }: LineBounds,
  how: { gathered?: boolean } = {},
) {
  const lines = new Map<string, { running: number; waiting: One[] }>()

  function next(name: string): void {
    const line = lines.get(name)!
    const group = line.waiting.splice(0, most)
    if (group.length > 0) {
      void ask(group).finally(() => next(name))
      return
    }
    line.running--
    if (line.running === 0) lines.delete(name)
  }

  /** Returns false when too many wait: the question is to be asked alone. */
  return (name: string, one: One): boolean => {
    const line = lines.get(name) ?? { running: 0, waiting: [] }
    if (line.waiting.length >= maxWaiting) return false
    lines.set(name, line)
    line.waiting.push(one)
    if (line.running < atOnce) {
      line.running++
      if (how.gathered === true) setImmediate(next, name)
      else next(name)
    }
    return true
  }
}
