import type { Answers, Json } from '../../../edge/answers/port.ts'

/** A list in memory, as an edge holds one. */
export type List = Answers & {
  /** What a test changes while connections ask. */
  set(change: { stale?: boolean; sequence?: number; ageSeconds?: number | null }): void
  /** Keys in the order in which they were asked for. */
  asked: string[]
}

/** The verdict on a value that this list has. */
export const verdictOf = (value: string): string =>
  JSON.stringify({ value, listed: true, reputation: -3, accuracy: 90, tags: ['r4'] })

/** Answers for these values alone, without any rule of what lies below them. */
export function listOf(values: readonly string[]): List {
  const listed = new Map<string, Json>(
    values.map((value) => [value, { text: verdictOf(value), bytes: Buffer.byteLength(verdictOf(value)) }]),
  )
  const state = { stale: false, sequence: 7, ageSeconds: 1 as number | null }
  const asked: string[] = []
  const json = (key: string): Json | null => {
    asked.push(key)
    return listed.get(key) ?? null
  }
  return {
    asked,
    set: (change) => Object.assign(state, change),
    isStale: () => state.stale,
    answer(value) {
      const found = json(value)
      return found === null ? { value, listed: false } : JSON.parse(found.text)
    },
    json,
    size: () => listed.size,
    sequence: () => state.sequence,
    ageSeconds: () => state.ageSeconds,
  }
}
