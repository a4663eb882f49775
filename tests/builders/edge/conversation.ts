import type { Session } from '../../../edge/protocols/session.ts'

/** How a connection is fed and asked. */
export type Pace = {
  /** Bytes of each piece; 0: all at once. */
  piece?: number
  /** Requests of a round. */
  most?: number
}

export type Said = { bytes: Buffer; text: string; ended: boolean }

const ROUNDS = 1_000_000

/** All that a connection answers now. @throws Error where it never comes to an end */
export function answersNow(session: Session, most = 100): Said {
  const pieces: Buffer[] = []
  for (let i = 0; i < ROUNDS; i++) {
    const { bytes, more, end } = session.answer(most)
    pieces.push(bytes)
    if (more && !end) continue
    const all = Buffer.concat(pieces)
    return { bytes: all, text: all.toString(), ended: end }
  }
  throw new Error('the connection says for ever that requests wait')
}

/** Sends text (its letters as bytes of UTF-8) or bytes; what comes back until nothing more comes. */
export function says(session: Session, sent: string | Buffer, { piece = 0, most = 100 }: Pace = {}): Said {
  const bytes = Buffer.from(sent)
  const step = piece || Math.max(1, bytes.length)
  const replies: Buffer[] = []
  for (let i = 0; i < bytes.length; i += step) {
    // Each piece is memory of its own, which the session may keep.
    session.push(Buffer.from(bytes.subarray(i, i + step)))
    const said = answersNow(session, most)
    replies.push(said.bytes)
    if (said.ended) return { bytes: Buffer.concat(replies), text: Buffer.concat(replies).toString(), ended: true }
  }
  const all = Buffer.concat(replies)
  return { bytes: all, text: all.toString(), ended: false }
}

/** A request of RESP. */
export const resp = (...words: (string | Buffer)[]): Buffer =>
  Buffer.concat([
    Buffer.from(`*${words.length}\r\n`),
    ...words.flatMap((word) => {
      const bytes = Buffer.from(word)
      return [Buffer.from(`$${bytes.length}\r\n`), bytes, Buffer.from('\r\n')]
    }),
  ])

/** A bulk reply of RESP. */
export const bulk = (text: string): string => `$${Buffer.byteLength(text)}\r\n${text}\r\n`
