/** What was told since the reader last took it in. */

import type { ChangeEvent } from '../../parts/live/events.ts'

/** `gone`: it was malicious, and is not any more. */
export type LiveMark = 'new' | 'changed' | 'gone'
export type LiveChange = { id: string; at: string; entity: ChangeEvent['entity']; mark: LiveMark }

/** `latest`: the last change of each entity, newest first. `marks`: what each entity that changed is. */
export type Waiting = { latest: readonly LiveChange[]; marks: ReadonlyMap<string, LiveMark> }

/** Changes in the list. */
export const SHOWN = 10
/** Entities that are counted; beyond it the reader is told that there are more. */
export const MOST_COUNTED = 1_000

export const NOTHING_WAITS: Waiting = { latest: [], marks: new Map() }

function markOf({ kinds, entity }: ChangeEvent, before: LiveMark | undefined): LiveMark {
  if (before === 'new' || kinds.includes('created')) return 'new'
  const left = entity.previousReputation !== null && entity.previousReputation < 0 && entity.reputation >= 0
  return left || (before === 'gone' && entity.reputation >= 0) ? 'gone' : 'changed'
}

/** What waits after some changes. What was new stays new, whatever happens to it later. */
export function withWaiting(before: Waiting, changes: readonly ChangeEvent[]): Waiting {
  const marks = new Map(before.marks)
  let latest = [...before.latest]
  for (const change of changes) {
    const { id, at, entity } = change
    const known = marks.get(entity.id)
    const mark = markOf(change, known)
    if (known !== undefined || marks.size < MOST_COUNTED) marks.set(entity.id, mark)
    latest = [{ id, at, entity, mark }, ...latest.filter((one) => one.entity.id !== entity.id)].slice(0, SHOWN)
  }
  return { latest, marks }
}

/** `3 new, 2 changed`; null when nothing waits. */
export function waitingText({ marks }: Waiting): string | null {
  if (marks.size === 0) return null
  const count = (mark: LiveMark): number => [...marks.values()].filter((one) => one === mark).length
  const parts = [
    [count('new'), 'new'],
    [count('changed'), 'changed'],
    [count('gone'), 'no longer malicious'],
  ] as const
  const text = parts.flatMap(([number, what]) => (number === 0 ? [] : [`${number} ${what}`])).join(', ')
  return marks.size >= MOST_COUNTED ? `${text} and more` : text
}
