/** What the stream of changes tells (decisions 12.1), and words for it. */

import type { ChangeEvent } from '../../../../schemas/live/change-event.ts'

export type { ChangeEvent }
export type ChangeKind = ChangeEvent['kinds'][number]
export type ChangeReason = ChangeEvent['reason']

/** One line of the stream. `cursor`: where to go on after it. */
export type StreamEvent =
  | { event: 'change'; cursor: string; data: ChangeEvent }
  | { event: 'heartbeat' | 'caught-up' | 'lagging'; cursor: string }

/** Which changes are told; empty parts ask for nothing. */
export type ChangeFilter = { kinds?: string; types?: string; tags?: string; reputationAtMost?: number }

export const KIND_WORDS: Readonly<Record<ChangeKind, string>> = {
  created: 'new',
  scored: 'score',
  updated: 'details',
  marked: 'marked well known',
  unmarked: 'mark cleared',
  linked: 'new relation',
}

export const REASON_WORDS: Readonly<Record<ChangeReason, string>> = {
  reported: 'a report',
  faded: 'faded with age',
  retracted: 'a report was retracted',
  marked: 'a well-known mark',
  unmarked: 'a mark was cleared',
  verdict: 'a verdict of your team',
  rescored: 'the scores were recomputed',
}

/** A line as an event; null for one that a later platform may send and that this console does not know. */
export function readEvent(line: string): StreamEvent | null {
  const given: unknown = JSON.parse(line)
  if (typeof given !== 'object' || given === null) return null
  const { event, cursor, data } = given as { event?: unknown; cursor?: unknown; data?: unknown }
  if (typeof cursor !== 'string') return null
  if (event === 'change') return { event, cursor, data: data as ChangeEvent }
  if (event === 'heartbeat' || event === 'caught-up' || event === 'lagging') return { event, cursor }
  return null
}
