/** Dead letters: what consumers could not use, to be looked at, put back or given up (ADR 133). */

import type { LetterHeaders, LetterState, Outcome } from '../../../schemas/operation/dead-letter.ts'
import type { LogMessage } from '../../log/port.ts'

/** Times are unix milliseconds. */
export type DeadLetter = Omit<LetterHeaders, 'origin'> & {
  /** `<dead topic>:<partition>:<offset>` */
  id: string
  /** Where the original stood. */
  origin: LetterHeaders['origin']
  /** At most 200 characters of it. */
  key: string | null
  bytes: number
  buriedAt: number
  state: LetterState
  outcome: Outcome | null
}

export type Payload =
  /** Read with the schema that wrote it. */
  | { kind: 'record'; record: unknown }
  /** It cannot be read: why, and the first bytes of it, as hexadecimal digits and as text. */
  | { kind: 'bytes'; fault: string; hex: string; text: string }

export type DeadLetterInFull = DeadLetter & {
  /** As on the letter, those of the burial too. */
  headers: Record<string, string>
  payload: Payload
}

export type DeadLetterQuery = {
  /** The topic of the originals; without it, of all. */
  topic?: string
  /** Words of the reason, in any case. */
  reason?: string
  /** Buried at or after, and before. */
  since?: number
  until?: number
  state?: LetterState
  /** At most this many, up to MAX_PAGE. */
  limit: number
  /** The id that the last page ended with. */
  after?: string
}

/** Letters of one topic, by their reason or by their places on the dead-letter topic ([from, to)), or by id. */
export type DeadLetterSelection =
  | { ids: readonly string[] }
  | { topic: string; reason?: string; range?: { partition: number; from: number; to: number } }

export type HandledDeadLetters = {
  /** Letters that the selection names and that wait. */
  matched: number
  done: number
  /** Of the ids that were named those that were left alone, and why. */
  skipped: { id: string; why: string }[]
}

export const MAX_PAGE = 1_000
/** Letters of a topic that are looked at, and so that one command handles: the newest. */
export const MAX_LETTERS = 100_000

export interface DeadLetters {
  /** Newest first; a record that was buried twice is one letter. `next` goes on after it; null at the end. */
  list(query: DeadLetterQuery): Promise<{ letters: DeadLetter[]; next: string | null }>
  /** null: there is no such letter (any more). */
  show(id: string): Promise<DeadLetterInFull | null>
  /** Puts the originals of waiting letters back on their topics and notes that. A crash in between repeats some. */
  replay(selection: DeadLetterSelection, by: string, options?: { dryRun?: boolean }): Promise<HandledDeadLetters>
  /** Notes that waiting letters are given up. */
  drop(
    selection: DeadLetterSelection,
    by: string,
    note: string,
    options?: { dryRun?: boolean },
  ): Promise<HandledDeadLetters>
  /** Letters that wait, by topic of the originals. */
  waiting(): Promise<Map<string, number>>
}

export type SealedRecord = Pick<LogMessage, 'key' | 'value' | 'headers'>

/** Whether a record was put back by us: what its headers say of a replay is believed with our seal alone (ADR 158). */
export type ReplaySeals = {
  /** The headers with the seal of their replay, for a record of `topic` with this key and value. */
  seal(topic: string, record: SealedRecord): Promise<Record<string, string>>
  /** The messages; of those without a right seal, without headers of a replay. */
  check(topic: string, messages: readonly LogMessage[]): Promise<LogMessage[]>
}

/** Why a selection cannot be followed, or an id names nothing: the fault of whoever asked. */
export class BadSelection extends Error {}
