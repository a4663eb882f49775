import type { FeedFacts } from '../format.ts'
import { held, streamed } from '../writer.ts'
import { isBlockable, mayBlock, NAME_TYPES } from './name.ts'
import { nameSet } from './name-set.ts'

type LineOf = (name: string) => string

/** A writer of one line for each name, each of which stands for that name alone; the device says what becomes of it. */
export const nameLines = (lineOf: LineOf) =>
  streamed(NAME_TYPES, () => ({ say: (item) => (isBlockable(item) ? lineOf(item.value) : null) }))

/** The same of lines that block by themselves. */
export const blockingLines = (lineOf: LineOf) =>
  streamed(NAME_TYPES, (facts) => {
    const may = mayBlock(facts)
    return { say: (item) => (may(item) ? lineOf(item.value) : null) }
  })

/** How a format says names that it blocks with all names below them. */
export type Covering = {
  begin?: (facts: FeedFacts) => string
  lineOf: LineOf
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
    const may = mayBlock(facts)
    return {
      take: (item) => {
        const takes = item.value.length <= longest && may(item)
        if (takes) set.add(item.value)
        return takes
      },
      *pieces() {
        yield begin(facts)
        for (let at = 0; at < set.size(); at++) if (!set.isCovered(at)) yield lineOf(set.name(at))
      },
    }
  })
