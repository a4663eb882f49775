/** Dead letters: records that consumers could not use. They can be inspected, replayed or dropped (ADR 281). */

import type { LetterHeaders, LetterState, Outcome } from '../../../schemas/operation/dead-letter.ts'
import type { LogMessage } from '../../log/port.ts'

/** Times are unix milliseconds. */
export type DeadLetter = Omit<LetterHeaders, 'origin'> & {
  /** `<dead topic>:<partition>:<offset>` */
  id: string
  /** Position of the original record. */
  origin: LetterHeaders['origin']
  /** The first 200 characters of the key. */
  key: string | null
  bytes: number
  buriedAt: number
  state: LetterState
  outcome: Outcome | null
}

export type Payload =
  /** Decoded with the schema that the record was written with. */
  | { kind: 'record'; record: unknown }
  /** Not decodable: the reason, and the first bytes in hexadecimal and as text. */
  | { kind: 'bytes'; fault: string; hex: string; text: string }

export type DeadLetterInFull = DeadLetter & {
  /** All headers of the dead letter, including those that describe why it was moved there. */
  headers: Record<string, string>
  payload: Payload
}

export type DeadLetterQuery = {
  /** Topic of the original records; default: all topics. */
  topic?: string
  /** Part of the reason, in any letter case. */
  reason?: string
  /** Moved to the dead letters at or after `since`, and before `until`. */
  since?: number
  until?: number
  state?: LetterState
  /** At most this many, up to MAX_PAGE. */
  limit: number
  /** The id at which the last page ended. */
  after?: string
}

/** Dead letters of one topic by reason or by position on the dead-letter topic ([from, to)), or dead letters by id. */
export type DeadLetterSelection =
  | { ids: readonly string[] }
  | { topic: string; reason?: string; range?: { partition: number; from: number; to: number } }

export type HandledDeadLetters = {
  /** Dead letters that match the selection and wait for a decision. */
  matched: number
  done: number
  /** Ids of the selection that were skipped, with the reason. */
  skipped: { id: string; why: string }[]
}

export const MAX_PAGE = 1_000
/** Dead letters of a topic that are considered, and so the most that one command handles: the newest. */
export const MAX_LETTERS = 100_000

export interface DeadLetters {
  /**
   * Newest first; a record that became a dead letter twice is listed once. `next` is the id to continue after; null
   * at the end.
   */
  list(query: DeadLetterQuery): Promise<{ letters: DeadLetter[]; next: string | null }>
  /** null: the dead letter does not exist (any more). */
  show(id: string): Promise<DeadLetterInFull | null>
  /**
   * Puts the originals of waiting dead letters back on their topics and records the outcome. A crash in between
   * replays some of them again.
   */
  replay(selection: DeadLetterSelection, by: string, options?: { dryRun?: boolean }): Promise<HandledDeadLetters>
  /** Records that waiting dead letters are dropped. */
  drop(
    selection: DeadLetterSelection,
    by: string,
    note: string,
    options?: { dryRun?: boolean },
  ): Promise<HandledDeadLetters>
  /** Number of waiting dead letters, by topic of the originals. */
  waiting(): Promise<Map<string, number>>
}

export type SealedRecord = Pick<LogMessage, 'key' | 'value' | 'headers'>

/**
 * Seals that prove that this platform replayed a record: replay headers are trusted only with a valid seal (ADR 158).
 */
export type ReplaySeals = {
  /** The headers of a record of `topic` with this key and value, with a seal for their replay claims. */
  seal(topic: string, record: SealedRecord): Promise<Record<string, string>>
  /** The messages. Replay headers are removed from those without a valid seal. */
  check(topic: string, messages: readonly LogMessage[]): Promise<LogMessage[]>
}

/** The caller's selection is not valid, or an id does not name a dead letter. */
export class BadSelection extends Error {}
