import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { uuids } from '../../../../../../schemas/feeds-out/formats/exchange/uuid.ts'

const DNS = '6ba7b810-9dad-11d1-80b4-00c04fd430c8'

test('ids are UUIDs of version 5 as the RFC has them', () => {
  // RFC 9562, appendix A.4.
  expect(uuids(DNS)('www.example.com')).toBe('2ed6657d-e927-568b-95e1-2665a8aea6a2')
})

test('the id of a name follows from all of its bytes, however long the name and whatever was named before it', () => {
  const idOf = uuids(DNS)
  for (const name of [
    '',
    'a',
    'ä'.repeat(1_359),
    'ä'.repeat(1_360),
    '\u{1f600}'.repeat(5_000),
    'b',
    'x'.repeat(100_000),
  ]) {
    const digest = createHash('sha1')
      .update(Buffer.from(DNS.replaceAll('-', ''), 'hex'))
      .update(name)
      .digest('hex')
    const id = idOf(name).replaceAll('-', '')
    expect(id.length).toBe(32)
    expect(id[12]).toBe('5')
    // Version and variant aside, the digits are those of the digest.
    expect(id.slice(0, 12) + id.slice(13, 16) + id.slice(17)).toBe(
      digest.slice(0, 12) + digest.slice(13, 16) + digest.slice(17, 32),
    )
    expect(Number.parseInt(id[16]!, 16)).toBe((Number.parseInt(digest[16]!, 16) & 3) | 8)
  }
})
