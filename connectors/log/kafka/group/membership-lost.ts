import kafkajs from '../codecs/patched-client.ts'
import { OF_GROUPS } from '../retry.ts'

/** A membership of a group has ended by no fault of who consumes; another one may go on where it stopped. */
export class MembershipLost extends Error {
  /** @param cause what the client said of it, where it did */
  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = 'MembershipLost'
  }
}

/** By what the client knows that it has to join its group again. */
const TYPE = 'REBALANCE_IN_PROGRESS'

/** An error of the client's own kind, upon which it joins its group again: it looks for the coordinator, and is assigned anew. */
export const joinAgain = (why: string, cause?: unknown): Error =>
  Object.assign(new kafkajs.KafkaJSError(why, { cause } as never), { type: TYPE })

/** Whether the client joins its group again by itself when it sees this error. */
export const isOfGroup = (error: unknown): boolean => OF_GROUPS.includes((error as { type?: string }).type ?? '')
