import type { FeedFacts } from '../format.ts'
import { held, streamed } from '../writer.ts'
import { isBlockable, NAME_TYPES } from './name.ts'
import { nameSet } from './name-set.ts'

/** A writer of one line for each name, each of which stands for that name alone. */
export const nameLines = (lineOf: (name: string) => string) =>
  streamed(NAME_TYPES, () => ({ say: (item) => (isBlockable(item) ? lineOf(item.value) : null) }))

/** How a format says names that stand for all names below them too. */
export type Covering = {
  begin?: (facts: FeedFacts) => string
  lineOf: (name: string) => string
  /** Longest name that the format can say, in characters. */
  longest?: number
}

/**
 * A writer of one line for each name that is not below another listed one, in the order of the feed: each name once,
 * as domain and host name may be equal. Holds the names (`NameSet`).
 */
export const coveringLines = ({ begin = () => '', lineOf, longest = 253 }: Covering) =>
  held(NAME_TYPES, (facts) => {
    const set = nameSet()
    return {
      take: (item) => {
        const takes = item.value.length <= longest && isBlockable(item)
        if (takes) set.add(item.value)
        return takes
      },
      *pieces() {
        yield begin(facts)
        for (let at = 0; at < set.size(); at++) if (!set.isCovered(at)) yield lineOf(set.name(at))
      },
    }
  })
