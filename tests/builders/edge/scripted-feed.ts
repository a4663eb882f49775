import type { EdgeItem } from '../../../connectors/edge-list/port.ts'
import type { Deltas, FeedClient } from '../../../connectors/feed-client/port.ts'
import { edgeItem } from './item-list.ts'

/** What a platform answers, one after the other. */
export type Answer =
  | { whole: string[]; says?: number; sequence?: number; cursor?: string; cutAfter?: number; portion?: number }
  | { deltas: [sequence: number, op: '+' | '-', value: string][]; cursor: string; more?: boolean }
  | { gone: true }
  | { error: Error }

/** A feed that answers as it is told to, and then says that the script is over. */
export function scriptedFeed(script: readonly Answer[], asked: (what: string) => void, over: () => void): FeedClient {
  let at = 0
  const next = (what: string): Answer => {
    const answer = script[at]
    if (answer === undefined) {
      over()
      throw new Error('the script is over')
    }
    at++
    asked(what)
    if ('error' in answer) throw answer.error
    return answer
  }
  return {
    async whole() {
      const answer = next('whole')
      if (!('whole' in answer)) throw new Error('the script has no list here')
      const { whole, says = whole.length, sequence = 1, cursor = `c${sequence}`, cutAfter, portion = 2 } = answer
      async function* portions(): AsyncGenerator<EdgeItem[]> {
        for (let from = 0; from < whole.length; from += portion) {
          if (cutAfter !== undefined && from >= cutAfter) throw new Error('the answer was cut')
          yield whole.slice(from, from + portion).map((value) => edgeItem('domain', value))
        }
      }
      return { items: says, sequence, cursor, portions: portions() }
    },
    async deltas(cursor, wait): Promise<Deltas | null> {
      const answer = next(`deltas ${cursor} wait ${wait}`)
      if ('gone' in answer) return null
      if (!('deltas' in answer)) throw new Error('the script has no deltas here')
      const { deltas, more = false } = answer
      const changes = deltas.map(([, op, value]) => ({ item: edgeItem('domain', value), gone: op === '-' }))
      return { changes, first: deltas[0]?.[0] ?? 0, last: deltas.at(-1)?.[0] ?? 0, cursor: answer.cursor, more }
    },
    file: () => Promise.reject(new Error('the script has no file')),
  }
}
