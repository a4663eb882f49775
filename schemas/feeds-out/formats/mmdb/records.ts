import type { FeedItem } from '../format.ts'
import { type Blocks, blocks } from './blocks.ts'
import { array, int32, mapOf, pointer, string, uint32 } from './encode.ts'

/** Characters of sets of tags that are remembered, to be written once. What comes later is written each time. */
const REMEMBERED_TAGS = 2 ** 24

const REMEMBERED_SCORES = 64

const KEYS = ['id', 'reputation', 'accuracy', 'tags'] as const
const START = mapOf(KEYS.length)

export type Records = {
  /** Adds what the database says of an item; returns where, in bytes of the data section. */
  add: (item: FeedItem) => number
  data: Blocks
}

/** The data section: keys, and tags that come again, stand once and are pointed to. Some 95 bytes an item. */
export function records(): Records {
  const data = blocks()
  const keys = KEYS.map((key) => pointer(data.append(string(key))))
  const known = new Map<string, Buffer>()
  const scores = new Map<string, Buffer>()
  let remembered = 0

  const tagsOf = (tags: readonly string[]): Buffer => {
    const name = JSON.stringify(tags)
    const before = known.get(name)
    if (before !== undefined) return before
    const bytes = array(tags.map(string))
    remembered += name.length
    if (remembered > REMEMBERED_TAGS) return bytes
    const stands = pointer(data.append(bytes))
    known.set(name, stands)
    return stands
  }

  /** Both numbers with their keys: there are 28 pairs of them. */
  const scoreOf = (reputation: number, accuracy: number): Buffer => {
    const name = `${reputation} ${accuracy}`
    const bytes = scores.get(name) ?? Buffer.concat([keys[1]!, int32(reputation), keys[2]!, uint32(accuracy)])
    if (scores.size < REMEMBERED_SCORES) scores.set(name, bytes)
    return bytes
  }

  return {
    add: ({ entityId, reputation, accuracy, tags }) =>
      data.append(
        Buffer.concat([START, keys[0]!, string(entityId), scoreOf(reputation, accuracy), keys[3]!, tagsOf(tags)]),
      ),
    data,
  }
}
