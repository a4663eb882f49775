import { isObject, type Json, textOf } from '../../../connectors/feeds/parse/document.ts'
import type { Chunk } from './chunks.ts'

const MOST_BYTES = 32 * 1024 ** 2
const MOST_DEFINITIONS = 1_000

/**
 * What later pages of a collection may refer to: the objects of the last chunks, 32 MiB of pages at most, and definitions
 * of markings of all of them. What is forgotten is no end of a relation any more, and a marking that is forgotten counts
 * as the strictest.
 */
export function earlierObjects() {
  let chunks: { objects: Json[]; bytes: number }[] = []
  const definitions = new Map<string, Json>()
  return {
    all: (): Json[] => [...definitions.values(), ...chunks.flatMap(({ objects }) => objects)],
    add({ objects, bytes }: Chunk): void {
      const all = objects.filter(isObject)
      for (const object of all)
        if (object.type === 'marking-definition' && definitions.size < MOST_DEFINITIONS)
          definitions.set(textOf(object.id), object)
      chunks.push({ objects: all.filter(({ type }) => type !== 'marking-definition'), bytes })
      let sum = 0
      chunks = chunks.reverse().filter((chunk) => {
        sum += chunk.bytes
        return sum <= MOST_BYTES
      })
      chunks.reverse()
    },
  }
}
