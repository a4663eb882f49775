/** Dead letters: their names, what their headers say, and what a replay leaves on a record (ADR 281). */

import { BURYING, deadTopic } from '../log/topics.ts'

/** Position of a dead letter: in `<topic>.dead` of the topic that its consumer read. */
export type LetterPlace = { topic: string; partition: number; offset: number }

const ID = /^([a-z0-9.-]{1,200})\.dead:(\d{1,6}):(\d{1,15})$/

/** `<dead topic>:<partition>:<offset>` */
export const letterId = ({ topic, partition, offset }: LetterPlace): string =>
  `${deadTopic(topic)}:${partition}:${offset}`

/** The place that an id names; null for what is no id of a letter. */
export function letterPlace(id: string): LetterPlace | null {
  const [, topic, partition, offset] = ID.exec(id) ?? []
  if (topic === undefined || !BURYING.includes(topic)) return null
  return { topic, partition: Number(partition), offset: Number(offset) }
}

/** Why a letter lies there, out of its headers; numbers that are missing, or none, count as -1. */
export type LetterHeaders = {
  /** Where the record stood, and when it was appended there (unix milliseconds). */
  origin: { topic: string; partition: number; offset: number; at: number }
  reason: string
  attempts: number
  schemaId: number | null
  /** The handler of account events that buried it, where it is one. */
  handler: string | null
  /** Id of the dead letter that this record replays. */
  replayedFrom: string | null
}

export function letterHeaders(headers: Readonly<Record<string, string>>): LetterHeaders {
  const number = (name: string): number => {
    const found = headers[name] === undefined || headers[name] === '' ? -1 : Number(headers[name])
    return Number.isSafeInteger(found) ? found : -1
  }
  return {
    origin: {
      topic: headers['dead-topic'] ?? '',
      partition: number('dead-partition'),
      offset: number('dead-offset'),
      at: number('dead-timestamp'),
    },
    reason: headers['dead-reason'] ?? '',
    attempts: number('dead-attempts'),
    schemaId:
      headers['dead-schema-id'] === undefined || headers['dead-schema-id'] === '' ? null : number('dead-schema-id'),
    handler: headers['dead-handler'] ?? null,
    replayedFrom: headers[REPLAYED_FROM] ?? null,
  }
}

const REPLAYED_FROM = 'replayed-from'
const REPLAYED_TIME = 'replayed-time'
const REPLAYED_FOR = 'replayed-for'
/** Proves that we have put the record back; without it the others are a producer's own words. */
export const REPLAYED_SEAL = 'replayed-seal'
const REPLAYED: readonly string[] = [REPLAYED_FROM, REPLAYED_TIME, REPLAYED_FOR]

/** What headers say of a replay, in one order. */
export const replayClaims = (headers: Readonly<Record<string, string>>): [name: string, text: string][] =>
  REPLAYED.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]] as [string, string]]))

/** The headers without those of a replay. */
export const withoutReplay = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !REPLAYED.includes(name) && name !== REPLAYED_SEAL))

/**
 * The headers of a record that is put back: its own, without those of its burial; the letter it comes from; when it was
 * first appended; and the one handler that it is meant for, where one buried it.
 */
export function replayHeaders(id: string, headers: Readonly<Record<string, string>>): Record<string, string> {
  const gone = new Set([REPLAYED_FOR, REPLAYED_SEAL])
  const own = Object.entries(headers).filter(([name]) => !name.startsWith('dead-') && !gone.has(name))
  const { origin, handler } = letterHeaders(headers)
  return {
    ...Object.fromEntries(own),
    [REPLAYED_FROM]: id,
    [REPLAYED_TIME]: headers[REPLAYED_TIME] ?? String(origin.at),
    ...(handler !== null && { [REPLAYED_FOR]: handler }),
  }
}

type Logged = { headers: Readonly<Record<string, string>>; timestamp: number }

/** When a record was first appended (unix milliseconds): a replay, of which the seal was checked, makes it no younger. */
export function firstAppendedAt({ headers, timestamp }: Logged): number {
  const first = Number(headers[REPLAYED_TIME] ?? Number.NaN)
  return Number.isSafeInteger(first) && first > 0 && first < timestamp ? first : timestamp
}

/** Whether a record is for this handler: a replayed record is for the handler alone that failed on it. */
export const isFor = (handler: string, { headers }: Pick<Logged, 'headers'>): boolean =>
  headers[REPLAYED_FOR] === undefined || headers[REPLAYED_FOR] === handler

/** Id of the dead letter that a record replays; null for a record that is not a replay. */
export const replayedFrom = ({ headers }: Pick<Logged, 'headers'>): string | null => headers[REPLAYED_FROM] ?? null

export const LETTER_STATES = ['waiting', 'replayed', 'dropped'] as const
export type LetterState = (typeof LETTER_STATES)[number]

/** Decision of an administrator about a dead letter. `at` in unix milliseconds. */
export type Outcome = { state: Exclude<LetterState, 'waiting'>; by: string; at: number; note: string | null }

/** The outcome in a record of `dead.outcomes`; null for bytes that are none. */
export function readOutcome(bytes: Buffer): Outcome | null {
  try {
    const { state, by, at, note } = JSON.parse(bytes.toString())
    const known = (state === 'replayed' || state === 'dropped') && typeof by === 'string' && Number.isFinite(at)
    return known ? { state, by, at, note: typeof note === 'string' ? note : null } : null
  } catch {
    return null
  }
}
