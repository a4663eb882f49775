import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { DnsResponder } from '../../../../../edge/protocols/dns/responder.ts'
import { dnsTcpSession } from '../../../../../edge/protocols/dns/tcp-session.ts'

/** Answers with the query itself, once more. */
const echo: DnsResponder = { answer: (packet) => Buffer.concat([packet, packet]) }
const silent: DnsResponder = { answer: () => null }

const framed = (query: Buffer): Buffer => Buffer.concat([Buffer.from([query.length >> 8, query.length & 255]), query])
const query = (letter: string, bytes = 20): Buffer => Buffer.from(letter.repeat(bytes))
const answered = (letter: string): Buffer => framed(query(letter, 40))

test('answers pipelined queries in their order, so many in a round', () => {
  const session = dnsTcpSession(echo)
  session.push(Buffer.concat(['a', 'b', 'c'].map((letter) => framed(query(letter)))))
  expect(session.answer(2)).toEqual({ bytes: Buffer.concat([answered('a'), answered('b')]), more: true, end: false })
  expect(session.answer(2)).toEqual({ bytes: answered('c'), more: false, end: false })
  expect(session.answer(2)).toEqual({ bytes: Buffer.alloc(0), more: false, end: false })
})

test.each([1, 2, 3, 7, 23])('takes queries in pieces of %d bytes', (size) => {
  const session = dnsTcpSession(echo)
  const bytes = Buffer.concat(['a', 'b', 'c'].map((letter) => framed(query(letter))))
  const written: Buffer[] = []
  for (let at = 0; at < bytes.length; at += size) {
    session.push(bytes.subarray(at, at + size))
    written.push(session.answer(10).bytes)
  }
  expect(Buffer.concat(written)).toEqual(Buffer.concat(['a', 'b', 'c'].map(answered)))
})

test('takes the longest query byte by byte', () => {
  const session = dnsTcpSession({ answer: (packet) => Buffer.from(`${packet.length} bytes`) })
  for (const byte of framed(query('q', 65_535))) session.push(Buffer.from([byte]))
  expect(session.answer(10).bytes.toString('latin1', 2)).toBe('65535 bytes')
})

test('what is left without an answer leaves the others theirs', () => {
  const session = dnsTcpSession({ answer: (packet) => (packet[0] === 97 ? null : packet) })
  session.push(Buffer.concat([framed(query('a')), framed(query('b'))]))
  expect(session.answer(10)).toEqual({ bytes: framed(query('b')), more: false, end: false })
  const none = dnsTcpSession(silent)
  none.push(framed(query('a')))
  expect(none.answer(10)).toEqual({ bytes: Buffer.alloc(0), more: false, end: false })
})

test('what is too short for a header ends the connection, after the answers before it', () => {
  const session = dnsTcpSession(echo)
  session.push(Buffer.concat([framed(query('a')), framed(query('x', 11)), framed(query('b'))]))
  expect(session.answer(10)).toEqual({ bytes: answered('a'), more: false, end: true })
  session.push(framed(query('c')))
  expect(session.answer(10)).toEqual({ bytes: Buffer.alloc(0), more: false, end: true })
})

test('long answers of one round are bounded', () => {
  const session = dnsTcpSession({ answer: () => Buffer.alloc(60_000) })
  session.push(Buffer.concat(Array.from({ length: 100 }, () => framed(query('a')))))
  const { bytes, more } = session.answer(100)
  expect(bytes.length).toBeLessThan(400_000)
  expect(more).toBe(true)
  let total = bytes.length
  for (let i = 0; i < 100; i++) total += session.answer(100).bytes.length
  expect(total).toBe(100 * 60_002)
})

test('any bytes, in whatever pieces they come, get the same answers', () => {
  const stream = fc.array(
    fc.oneof(
      fc.uint8Array({ maxLength: 80 }),
      fc.nat(60).map((bytes) => framed(query('q', bytes))),
    ),
  )
  const answersTo = (pieces: readonly Buffer[]): [string, boolean] => {
    const session = dnsTcpSession(echo)
    let [written, end] = ['', false]
    for (const piece of pieces) {
      session.push(piece)
      for (let more = true; more; ) {
        const answer = session.answer(2)
        written += answer.bytes.toString('latin1')
        end ||= answer.end
        more = answer.more
      }
    }
    return [written, end]
  }
  fc.assert(
    fc.property(stream, fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1 }), (parts, sizes) => {
      const bytes = Buffer.concat(parts)
      const pieces: Buffer[] = []
      for (let at = 0, i = 0; at < bytes.length; i++) {
        pieces.push(bytes.subarray(at, at + sizes[i % sizes.length]!))
        at += sizes[i % sizes.length]!
      }
      expect(answersTo(pieces)).toEqual(answersTo([bytes]))
    }),
  )
})
