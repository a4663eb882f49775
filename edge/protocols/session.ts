/** One connection of a text protocol, without its socket: bytes in, bytes out. */
export type Session = {
  /**
   * Takes bytes as they come, in any pieces. What is not a whole request yet is kept, within the bounds of the protocol.
   * @param bytes belong to the session from then on
   */
  push(bytes: Buffer): void
  /**
   * Answers the requests that were taken, in their order, `most` at the most: others have their turn in between.
   * Never throws: what is no request is answered as the protocol says, and may end the connection.
   */
  answer(most: number): SessionAnswer
}

export type SessionAnswer = {
  /** What is to be written; empty: nothing. */
  bytes: Buffer
  /** Whether whole requests wait. */
  more: boolean
  /** Whether the connection is to be closed once this is written. */
  end: boolean
}
