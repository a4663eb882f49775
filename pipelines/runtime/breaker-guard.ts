import type { Batch } from '../../connectors/log/port.ts'
import { emptyWindow, judged, type Trip } from './breaker.ts'
import type { Dead } from './dead-letter.ts'

const MAX_REASONS = 5

/** Too much is dead. What the batch would have buried is not buried, and the batch is not committed. */
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

type Judged = Pick<Batch, 'topic' | 'partition' | 'from' | 'to' | 'messages'>

/** What one consumer group of this process has seen die. */
export type Breaker = {
  /**
   * Takes the records of a batch into account, before any of them is buried. A batch that is handed out again counts
   * once.
   * @throws BreakerOpen
   */
  judge(batch: Judged, dead: readonly Dead[]): void
  /** Forgets what was seen; so many dead records do not count from here on. */
  reset(allow: number): void
}

export function breaker(): Breaker {
  let window = emptyWindow()
  let allowed = 0
  /** Offsets before these were judged, by partition. */
  const judgedTo = new Map<string, number>()

  return {
    judge(batch, dead) {
      const { topic, partition, to, messages } = batch
      const place = `${topic}/${partition}`
      const from = judgedTo.get(place) ?? 0
      const offsets = new Set(dead.map(({ message }) => message.offset))
      let left = allowed
      const counted: boolean[] = []
      for (const { offset } of messages) {
        if (offset < from) continue
        const isDead = offsets.has(offset)
        if (isDead && left > 0) left--
        else counted.push(isDead)
      }
      const after = judged(window, counted)
      if (after.trip !== null) {
        const reasons = [...new Set(dead.map(({ reason }) => reason))].slice(0, MAX_REASONS)
        throw new BreakerOpen(topic, after.trip, reasons)
      }
      window = after.window
      allowed = left
      judgedTo.set(place, Math.max(from, to))
    },
    reset(allow) {
      window = emptyWindow()
      allowed = allow
    },
  }
}
