/**
 * What imports of a feed have stated, of which event, and when: what a later import needs to take back what left the feed
 * and nothing else (ADR 273). Times are unix milliseconds.
 */

/** What a statement says of one entity. `content` is equal where the same is said of it to the same readers. */
export type Said = { entityId: string; content: string }

/** A part of an event: an attribute, or an object with what it names. `n` rises with each statement of the feed. */
export type Statement = { n: number; digest: string; at: number; said: readonly Said[] }

/** `sent`: whether it is known to be on the log. */
export type KnownStatement = { n: number; at: number; sent: boolean }

/** How an event was read last; `isSent`: all of its statements are known to be on the log. */
export type KnownEvent = { stamp: number; settings: string; isSent: boolean }

/** Offsets of the log before the batch that was sent last. */
export type Marks = readonly { partition: number; offset: number }[]

/** Where the statements of a feed are: the last number and time that were used, and of the first unsent one. */
export type Position = { seed: string; n: number; at: number; firstUnsent: number | null; marks: Marks | null }

/** What is to be taken back of these entities: what the feed stated between two moments, both included. */
export type Owed = { from: number; to: number; entityIds: string[] }

export interface StatementStore {
  position(): Position
  /** Begins a run: what it states is between `at` and the last time of its statements. */
  begin(at: number): void
  event(place: string, uuid: string): KnownEvent | null
  /** By their digests. */
  statements(place: string, uuid: string): Map<string, KnownStatement>
  /**
   * Replaces what an event says, at once or not at all: `added` is to be sent, `gone` (numbers) is to be taken back.
   */
  replace(
    place: string,
    uuid: string,
    how: Pick<KnownEvent, 'stamp' | 'settings'>,
    change: { added: readonly Statement[]; gone: readonly number[] },
  ): void
  /** The events of a place. */
  events(place: string): string[]
  /** Takes an event out; all that it stated is to be taken back. */
  forget(place: string, uuid: string): void
  /** Keeps the offsets of the log before a batch is sent. */
  keepMarks(marks: Marks): void
  /** These statements are on the log. */
  markSent(numbers: readonly number[]): void
  /** Leaves to those statements that stay what they say too. To be called when all events were read. */
  reconcile(): void
  /**
   * Up to 2,000 entities of which something is to be taken back in one window; null when there is nothing. An entity of
   * which a statement is not sent yet waits.
   */
  owed(): Owed | null
  /** What of `owed` was taken back. */
  settle(owed: Owed): void
  /** Entities of which something is to be taken back. */
  owes(): number
  close(): void
}

/** The statements of the feed are in use by another import. */
export class StatementsInUse extends Error {
  constructor(path: string, cause: unknown) {
    super(`another import of this feed is running: ${path} is in use`, { cause })
    this.name = 'StatementsInUse'
  }
}
