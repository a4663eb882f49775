/** The client with two faults of its own put right, by replacing the methods that have them (ADR 158). */

import { createRequire } from 'node:module'
import kafkajs from 'kafkajs'

const require = createRequire(import.meta.url)

type Header = { key: string; value: Buffer | null }
type Decoder = { readVarInt(): number }
const { prototype: decoding } = require('kafkajs/src/protocol/decoder') as {
  prototype: { readVarIntArray<T>(read: (decoder: Decoder) => T): T[] }
}

/**
 * The headers of a record. The client folds them into a new object for every header: 100,000 of them, which fit into
 * one record, would take it many minutes in which nothing else runs.
 */
class Headers extends Array<Header> {
  static override get [Symbol.species](): ArrayConstructor {
    return Array
  }
  override reduce(): never {
    const headers: Record<string, Buffer | null> = Object.create(null)
    for (const { key, value } of this) headers[key] = value
    return headers as never
  }
}

// It reads nothing but headers.
decoding.readVarIntArray = function readHeaders(this: Decoder, read) {
  const headers = new Headers()
  for (let left = this.readVarInt(); left > 0; left--) headers.push(read(this) as Header)
  return headers as never
}

type Queue = {
  throttledUntil: number
  throttleCheckTimeoutId: NodeJS.Timeout | null
  pending: unknown[]
  checkPendingRequests(): void
}
const { prototype: queueing } = require('kafkajs/src/network/requestQueue') as {
  prototype: { scheduleCheckPendingRequests(this: Queue): void }
}
const CHECK_MS = 10

/**
 * The client starts a timer that ends in the past when it is not throttled and nothing waits; Node warns of each such
 * process (TimeoutNegativeWarning) and makes it one millisecond.
 */
queueing.scheduleCheckPendingRequests = function schedule() {
  if (this.throttleCheckTimeoutId !== null) return
  const throttled = this.throttledUntil - Date.now()
  if (throttled <= 0 && this.pending.length === 0) return
  this.throttleCheckTimeoutId = setTimeout(
    () => {
      this.throttleCheckTimeoutId = null
      this.checkPendingRequests()
    },
    throttled > 0 ? throttled : CHECK_MS,
  )
}

export default kafkajs
