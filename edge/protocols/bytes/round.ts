import type { SessionAnswer } from '../session.ts'
import { output } from './output.ts'

/** A command over many keys, which may take several rounds. */
export type Rest = {
  /** Answers `most` keys at the most. @returns how many it took, one at least */
  step(most: number): number
  isOver(): boolean
}

/** A connection between two requests. */
export type Conversation = {
  /** To be closed once what was written is sent. */
  ends: boolean
  /** What goes on before the next request. */
  rest: Rest | null
  /** Whether a whole request, or what is none, waits. */
  isWaiting(): boolean
  /** Answers what waits, into the round that is under way. */
  run(): void
  /** A round is over. `isHeld`: a request waits. */
  settle(isHeld: boolean): void
  /** Forgets what came. */
  clear(): void
}

/** Answers `most` requests or keys at the most; what a round that failed wrote is in no other. */
export function round(conversation: Conversation, most: number): SessionAnswer {
  output.begin()
  for (let left = most; left > 0 && !conversation.ends; ) {
    const { rest } = conversation
    if (rest !== null) {
      left -= rest.step(left)
      if (rest.isOver()) conversation.rest = null
      continue
    }
    if (!conversation.isWaiting()) break
    conversation.run()
    left--
  }
  if (conversation.ends) conversation.clear()
  const more = !conversation.ends && (conversation.rest !== null || conversation.isWaiting())
  conversation.settle(more)
  return { bytes: output.take(), more, end: conversation.ends }
}
