import type { Type } from 'avsc'
import { encoderInto } from './codec.ts'

/** Bytes of the memory that a run begins with. */
const ROOM = 64 * 1024

/**
 * Framed records one after another in one piece of memory: a batch of them that waits to be sent is no heap of objects
 * (ADR 265).
 */
export function recordRun<T>(type: Type, schemaId: number) {
  const encode = encoderInto<T>(type, schemaId)
  let bytes = Buffer.allocUnsafeSlow(ROOM)
  let at = 0
  const ends: number[] = []
  return {
    get length() {
      return ends.length
    },
    /** @throws TypeError that names the wrong field when the record does not fit the type */
    push(record: T): void {
      let end = encode(record, bytes, at)
      if (end < 0) {
        const grown = Buffer.allocUnsafeSlow((bytes.length - end) * 2)
        bytes.copy(grown, 0, 0, at)
        bytes = grown
        end = encode(record, bytes, at)
      }
      at = end
      ends.push(end)
    },
    /** The bytes of the record that was pushed as the `i`-th. */
    at: (i: number): Buffer => bytes.subarray(i === 0 ? 0 : ends[i - 1], ends[i]),
  }
}
