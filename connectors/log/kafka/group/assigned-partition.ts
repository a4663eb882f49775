import { fitting } from '../../fitting.ts'
import type { LogMessage } from '../../port.ts'

export type BegunRange = { to: number; note: string }

/**
 * What a member knows of one partition between two assignments. Fetched records wait in `buffer` until their range is
 * committed, because the end of a begun range may lie beyond what one fetch brought.
 */
export type AssignedPartition = {
  topic: string
  partition: number
  /** The group's position; null until the first record when the group has none. */
  position: number | null
  begun: BegunRange | null
  /** Whether `begun` was found in the broker, left by a member that did not finish. */
  inherited: boolean
  buffer: LogMessage[]
  /** The offset after what was fetched. */
  fetched: number
  abort: AbortController
  /** Resolves when no batch of this partition runs. */
  idle: Promise<unknown>
}

export type OffsetRange = {
  from: number
  to: number
  messages: LogMessage[]
  begun: BegunRange | null
  redelivered: boolean
}

/** A partition that the member has been assigned, before its committed offset is known. */
export const newlyAssigned = (topic: string, partition: number): AssignedPartition => ({
  topic,
  partition,
  position: null,
  begun: null,
  inherited: false,
  buffer: [],
  fetched: 0,
  abort: new AbortController(),
  idle: Promise.resolve(),
})

/** Takes over what the group has committed: the offset, and the range that its last owner had begun. */
export function resumeAt(state: AssignedPartition, offset: number, metadata: string | null): void {
  state.position = offset
  state.begun = readIntent(metadata)
  state.inherited = state.begun !== null
}

/** Takes in what a fetch brought; records that came before are dropped. `end` is the offset after it, gaps included. */
export function bufferMessages(state: AssignedPartition, messages: readonly LogMessage[], end: number): void {
  for (const message of messages) if (message.offset >= state.fetched) state.buffer.push(message)
  state.fetched = Math.max(state.fetched, end)
}

/** The next range to hand out: the begun one, whole, or a new one within the bounds; null when more must be fetched. */
export function nextRange(
  state: AssignedPartition,
  bounds: { maxRecords: number; maxBytes: number },
): OffsetRange | null {
  const { begun } = state
  const from = state.position ?? state.buffer[0]?.offset
  if (from === undefined) return null
  if (begun) {
    if (state.fetched < begun.to) return null
    const messages = state.buffer.filter(({ offset }) => offset < begun.to)
    return { from, to: begun.to, messages, begun, redelivered: state.inherited }
  }
  const count = fitting(state.buffer, bounds)
  if (count === 0) return null
  const whole = count === state.buffer.length
  const to = whole ? state.fetched : state.buffer[count - 1]!.offset + 1
  return { from, to, messages: state.buffer.slice(0, count), begun: null, redelivered: false }
}

/** The range is committed: the partition continues after it. */
export function advance(state: AssignedPartition, to: number): void {
  state.buffer = state.buffer.filter(({ offset }) => offset >= to)
  state.position = to
  state.begun = null
  state.inherited = false
}

const MAX_NOTE = 2048
/** What brokers keep beside an offset by default (offset.metadata.max.bytes). */
const MAX_METADATA = 4096

/** The text kept beside the committed offset while a range is in work. Throws when it would not fit. */
export function writeIntent(begun: BegunRange): string {
  if (Buffer.byteLength(begun.note) > MAX_NOTE) throw new Error(`the note of an intent exceeds ${MAX_NOTE} bytes`)
  const text = JSON.stringify({ begun })
  if (Buffer.byteLength(text) > MAX_METADATA) throw new Error(`an intent exceeds ${MAX_METADATA} bytes as JSON`)
  return text
}

/** The begun range in the text beside an offset; null without one, or when another program wrote the text. */
export function readIntent(metadata: string | null): BegunRange | null {
  if (!metadata) return null
  try {
    const { begun } = JSON.parse(metadata)
    return Number.isSafeInteger(begun?.to) && typeof begun.note === 'string' ? { to: begun.to, note: begun.note } : null
  } catch {
    return null
  }
}
