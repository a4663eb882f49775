import { Buffer } from 'node:buffer'
import type { Json } from '../../answers/port.ts'

/** Replies of one round, joined: one write for all of them. */
export type Output = {
  /** Forgets what was not taken. */
  begin(): void
  /** Text of ASCII. */
  text(text: string): void
  /** Text with a verdict in its middle. */
  json(before: string, json: Json, after: string): void
  /** Bytes as they came. */
  copy(from: Buffer, start: number, end: number): void
  /** What was written since the last time. */
  take(): Buffer
}

const START_BYTES = 65_536
/** A longer one is let go of after its round. */
const KEPT_BYTES = 1_048_576
const NOTHING = Buffer.alloc(0)

/**
 * One for all connections of a process: a round begins and ends without a pause, and 10,000 connections with a buffer each
 * would take more memory than the list. `take` copies.
 */
export function createOutput(): Output {
  let bytes = Buffer.allocUnsafeSlow(START_BYTES)
  let at = 0

  const need = (more: number): void => {
    if (at + more <= bytes.length) return
    const grown = Buffer.allocUnsafeSlow(Math.max(2 * bytes.length, at + more))
    bytes.copy(grown, 0, 0, at)
    bytes = grown
  }

  return {
    begin() {
      at = 0
    },
    text(text) {
      need(text.length)
      // Below this length a call out of the engine takes longer than the loop.
      if (text.length > 24) bytes.write(text, at, 'latin1')
      else for (let i = 0; i < text.length; i++) bytes[at + i] = text.charCodeAt(i)
      at += text.length
    },
    json(before, json, after) {
      const length = before.length + json.bytes + after.length
      need(length)
      // As many bytes as letters: ASCII.
      bytes.write(before + json.text + after, at, json.bytes === json.text.length ? 'latin1' : 'utf8')
      at += length
    },
    copy(from, start, end) {
      need(end - start)
      from.copy(bytes, at, start, end)
      at += end - start
    },
    take() {
      if (at === 0) return NOTHING
      const taken = Buffer.from(bytes.subarray(0, at))
      at = 0
      if (bytes.length > KEPT_BYTES) bytes = Buffer.allocUnsafeSlow(START_BYTES)
      return taken
    },
  }
}

/** The one that the sessions of this process share. */
export const output = createOutput()
