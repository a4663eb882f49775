import type { Session } from '../session.ts'
import { HEADER_BYTES } from './codes.ts'
import type { DnsResponder } from './responder.ts'

const LENGTH_BYTES = 2
/** Of the answers of one round: long ones wait for the next. */
const MAX_ROUND_BYTES = 262_144

/**
 * Queries over TCP, each behind two bytes with its length (RFC 7766); answered in their order. Kept is one query of
 * 65,535 bytes at most, beside those that are whole. What is shorter than a header is no query: the connection ends.
 */
export function dnsTcpSession(responder: DnsResponder): Session {
  const pieces: Buffer[] = []
  let kept = 0
  let ended = false

  /** A piece that begins with the first `bytes`. Pieces are put together only where a query needs it. */
  function first(bytes: number): Buffer {
    let count = 0
    for (let length = 0; length < bytes; count++) length += pieces[count]!.length
    if (count > 1) pieces.splice(0, count, Buffer.concat(pieces.slice(0, count)))
    return pieces[0]!
  }

  /** Bytes of the next query and its length; 0: it is not whole yet. */
  function next(): number {
    if (kept < LENGTH_BYTES) return 0
    const bytes = LENGTH_BYTES + first(LENGTH_BYTES).readUInt16BE(0)
    return kept < bytes ? 0 : bytes
  }

  function take(bytes: number): Buffer {
    const all = first(bytes)
    if (all.length === bytes) pieces.shift()
    else pieces[0] = all.subarray(bytes)
    kept -= bytes
    return all.subarray(LENGTH_BYTES, bytes)
  }

  return {
    push(bytes) {
      if (ended || bytes.length === 0) return
      pieces.push(bytes)
      kept += bytes.length
    },
    answer(most) {
      const answers: Buffer[] = []
      let written = 0
      let bytes = next()
      for (let taken = 0; bytes > 0 && !ended && taken < most && written < MAX_ROUND_BYTES; taken++) {
        const query = take(bytes)
        if (query.length < HEADER_BYTES) ended = true
        else written += write(answers, responder.answer(query, 'tcp'))
        bytes = next()
      }
      return { bytes: Buffer.concat(answers, written), more: bytes > 0 && !ended, end: ended }
    },
  }
}

/** Adds an answer and its length; returns how many bytes that are. */
function write(answers: Buffer[], answer: Buffer | null): number {
  if (answer === null) return 0
  const length = Buffer.allocUnsafe(LENGTH_BYTES)
  length.writeUInt16BE(answer.length)
  answers.push(length, answer)
  return LENGTH_BYTES + answer.length
}
