import type { Observation } from '../../schemas/intelligence/observations/observation.ts'

/** Words kept at most, of at most so many characters. */
const MAX = 20_000
const LENGTH = 64

/**
 * Gives equal words of different records the same place in memory: a state keeps those of its last record, and a million
 * states say little that is their own.
 */
export function shareWords() {
  const words = new Map<string, string>()

  const one = (word: string): string => {
    if (word.length > LENGTH) return word
    const known = words.get(word)
    if (known !== undefined) return known
    if (words.size >= MAX) words.clear()
    words.set(word, word)
    return word
  }

  // Most say what the one before them said: then nothing need be looked up.
  let last = { type: '', source: '', sourceKind: '' as Observation['sourceKind'], userId: '' }

  return (o: Observation): void => {
    o.type = o.type === last.type ? last.type : one(o.type)
    o.source = o.source === last.source ? last.source : one(o.source)
    o.sourceKind = o.sourceKind === last.sourceKind ? last.sourceKind : (one(o.sourceKind) as Observation['sourceKind'])
    o.userId = o.userId === last.userId ? last.userId : one(o.userId)
    for (let i = 0; i < o.tags.length; i++) o.tags[i] = one(o.tags[i]!)
    last = o
  }
}
