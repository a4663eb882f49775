/**
 * Answers of a quick question, by key. A load begins in the next turn of the event loop, or when the one under way has
 * ended, and is shared by all who asked until then. So many callers at once cost few loads, also of a store that answers
 * within the turn; none is told what was before its call; and nothing is kept.
 */
export function sharedLoads<T>(load: (key: string) => Promise<T>): (key: string) => Promise<T> {
  const underWay = new Map<string, Promise<T>>()
  const next = new Map<string, Promise<T>>()

  const begin = (key: string): Promise<T> => {
    next.delete(key)
    const answer = load(key)
    underWay.set(key, answer)
    const over = (): void => void underWay.delete(key)
    answer.then(over, over)
    return answer
  }

  return (key) => {
    const waiting = next.get(key)
    if (waiting !== undefined) return waiting
    const go = (): Promise<T> => begin(key)
    const shared = (underWay.get(key) ?? nextTurn()).then(go, go)
    next.set(key, shared)
    return shared
  }
}

const nextTurn = (): Promise<unknown> => new Promise((resolve) => setImmediate(resolve))
