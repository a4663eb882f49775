import { LogUnavailable } from '../../availability/port.ts'
import { mayRejoin, rootOf } from './retry.ts'
import { LateBroker, within } from './within.ts'

const ANSWER_MS = 30_000
/** Whoever asks how the log is waits for no more. */
const PING_MS = 10_000
/** A member joins and leaves for it, and brokers may wait some seconds for others. */
const SET_MS = 60_000

/** How long each question to the brokers may take, milliseconds: the client's attempts within attempts add up to minutes. */
export const BOUNDS = { answer: ANSWER_MS, ping: PING_MS, setOffsets: SET_MS }

/**
 * What `work` gives, within `ms` milliseconds where they are given. What fails because brokers are away, move or are late
 * is the unavailability of the log, which a caller may answer with; everything else is its own error.
 * @throws LogUnavailable, or what `work` throws
 */
export async function answered<T>(what: string, work: () => Promise<T>, ms?: number): Promise<T> {
  try {
    return await (ms === undefined ? work() : within(ms, what, work()))
  } catch (error) {
    throw isAway(error) ? new LogUnavailable(`does not answer: ${(error as Error).message}`, { cause: error }) : error
  }
}

/** The client's own errors have names of its own; it fails with a TypeError where what it knows of brokers has changed. */
function isAway(error: unknown): boolean {
  if (error instanceof LateBroker) return true
  const { name = '' } = rootOf(error)
  return (name.startsWith('KafkaJS') || name === 'TypeError') && mayRejoin(error)
}
