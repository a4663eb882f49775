import fc from 'fast-check'
import type { Session } from '../../../edge/protocols/session.ts'
import { answersNow, type Said } from './conversation.ts'

/** How bytes come and are answered: lengths of pieces in turn, and requests of each round. */
export const paces = fc.record({
  pieces: fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 8 }),
  most: fc.integer({ min: 1, max: 9 }),
  /** Whether what was answered is asked for after each piece, or after all. */
  isLate: fc.boolean(),
})

export type Paces = typeof paces extends fc.Arbitrary<infer T> ? T : never

/** What a connection answers to bytes that come so. */
export function saysInPieces(session: Session, bytes: Buffer, { pieces, most, isLate }: Paces): Said {
  const replies: Buffer[] = []
  let ended = false
  for (let i = 0, at = 0; at < bytes.length && !ended; i++) {
    const length = pieces[i % pieces.length]!
    session.push(Buffer.from(bytes.subarray(at, at + length)))
    at += length
    if (isLate && at < bytes.length) continue
    const said = answersNow(session, most)
    replies.push(said.bytes)
    ended = said.ended
  }
  const all = Buffer.concat(replies)
  return { bytes: all, text: all.toString('latin1'), ended }
}

/** Bytes with parts of a protocol in them, which any bytes alone would seldom have. */
export const almost = (parts: readonly string[]): fc.Arbitrary<Buffer> =>
  fc
    .array(
      fc.oneof(
        { weight: 6, arbitrary: fc.constantFrom(...parts).map((part) => Buffer.from(part, 'latin1')) },
        { weight: 1, arbitrary: fc.uint8Array({ maxLength: 12 }).map((bytes) => Buffer.from(bytes)) },
        { weight: 1, arbitrary: fc.integer({ min: -3, max: 30 }).map((number) => Buffer.from(`${number}`)) },
      ),
      { maxLength: 40 },
    )
    .map((list) => Buffer.concat(list))
