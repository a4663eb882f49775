import type { Batch, LogMessage } from '../../../connectors/log/port.ts'
import { type DeadRecord, MAX_REASON } from '../dead-letter.ts'
import { emptyWindow, judgeRecords, type Trip, windowWithout } from './breaker-window.ts'

const MAX_REASONS = 5
/** Sources that stand alone at once; from then on the next to blame stops the group. */
const MAX_ALONE = 1_000

/**
 * Too many records are dead. The dead records of the batch were not written to the dead-letter topic, and the batch
 * is not committed.
 */
export class BreakerOpen extends Error {
  readonly topic: string
  readonly trip: Trip
  /** The first of them, each once. */
  readonly reasons: string[]
  constructor(topic: string, trip: Trip, reasons: string[]) {
    super(`too many records of ${topic} are dead: ${reasons.join('; ')}`)
    this.topic = topic
    this.trip = trip
    this.reasons = reasons
  }
}

type JudgedBatch = Pick<Batch, 'topic' | 'partition' | 'from' | 'to' | 'messages'>

/** The source of a record; null: unknown. */
export type SourceOf = (message: LogMessage) => string | null

/**
 * A source whose records are dead, while those of others are not: they become dead letters and do not open the
 * breaker.
 */
export type SourceAlone = { topic: string; source: string; trip: Trip; reasons: string[] }

/** The recent results of one consumer group in this process. */
export type Breaker = {
  /**
   * Takes the records of a batch into account, before any of them becomes a dead letter. A batch that is delivered
   * again counts once.
   * @throws BreakerOpen
   */
  judge(batch: JudgedBatch, dead: readonly DeadRecord[], sourceOf?: SourceOf): void
  /** Forgets what was seen; so many dead records do not count from here on. */
  reset(allow: number): void
  /** Exactly these sources are isolated: their records are not judged. */
  setAlone(sources: Iterable<string>): void
}

/** @param onAlone called for each source that is isolated */
export function groupBreaker(onAlone: (alone: SourceAlone) => void = () => undefined): Breaker {
  let window = emptyWindow()
  let allowed = 0
  let alone = new Set<string>()
  /** Offsets before these were judged, by partition. */
  const judgedTo = new Map<string, number>()

  return {
    judge(batch, dead, sourceOf = () => null) {
      const { topic, partition, to, messages } = batch
      const place = `${topic}/${partition}`
      const from = judgedTo.get(place) ?? 0
      const offsets = new Set(dead.map(({ message }) => message.offset))
      const found: SourceAlone[] = []
      const apart = new Set(alone)
      let left = allowed
      let rest: { dead: boolean; source: string | null }[] = []
      for (const message of messages) {
        if (message.offset < from) continue
        const source = sourceOf(message)
        if (source !== null && apart.has(source)) continue
        const isDead = offsets.has(message.offset)
        if (isDead && left > 0) left--
        else rest.push({ dead: isDead, source })
      }
      let next = window
      while (rest.length > 0) {
        const after = judgeRecords(next, rest)
        next = after.window
        if (after.trip === null) break
        const { trip, used } = after
        if (trip.culprits.length === 0 || apart.size + trip.culprits.length > MAX_ALONE)
          throw new BreakerOpen(topic, trip, reasonsOf(dead))
        for (const source of trip.culprits) {
          apart.add(source)
          found.push({ topic, source, trip, reasons: reasonsOf(dead.filter((d) => sourceOf(d.message) === source)) })
        }
        next = windowWithout(next, apart)
        rest = rest.slice(used).filter(({ source }) => source === null || !apart.has(source))
      }
      window = next
      allowed = left
      alone = apart
      judgedTo.set(place, Math.max(from, to))
      for (const one of found) onAlone(one)
    },
    reset(allow) {
      window = emptyWindow()
      allowed = allow
    },
    setAlone(sources) {
      const before = alone
      alone = new Set(sources)
      // Found by another process: what this one has seen of them counts no more either.
      if ([...alone].some((source) => !before.has(source))) window = windowWithout(window, alone)
    },
  }
}

/** The first reasons, each once and as short as in a dead letter: they may quote what a producer wrote. */
const reasonsOf = (dead: readonly DeadRecord[]): string[] =>
  [...new Set(dead.map(({ reason }) => reason.slice(0, MAX_REASON)))].slice(0, MAX_REASONS)
