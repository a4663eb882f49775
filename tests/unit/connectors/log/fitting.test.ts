import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fitting } from '../../../../connectors/log/fitting.ts'

const messageOf = (bytes: number) => ({
  offset: 0,
  timestamp: 0,
  key: bytes % 2 === 0 ? null : Buffer.alloc(1),
  value: Buffer.alloc(bytes - (bytes % 2)),
  headers: {},
})

test('batches that follow each other hold every message, within the bounds or alone, and none could hold the next', () => {
  const bounds = fc.record({ maxRecords: fc.integer({ min: 1, max: 9 }), maxBytes: fc.integer({ min: 1, max: 300 }) })
  fc.assert(
    fc.property(fc.array(fc.nat(200)), bounds, (sizes, { maxRecords, maxBytes }) => {
      const messages = sizes.map(messageOf)
      for (let at = 0; at < sizes.length; ) {
        const count = fitting(messages, { maxRecords, maxBytes }, at)
        const sum = (n: number): number => sizes.slice(at, at + n).reduce((bytes, size) => bytes + size, 0)
        expect(count).toBeGreaterThan(0)
        expect(count === 1 || (count <= maxRecords && sum(count) <= maxBytes)).toBe(true)
        const more = at + count < sizes.length && count < maxRecords
        if (more) expect(sum(count + 1)).toBeGreaterThan(maxBytes)
        at += count
      }
      expect(fitting(messages, { maxRecords, maxBytes }, sizes.length)).toBe(0)
    }),
  )
})
