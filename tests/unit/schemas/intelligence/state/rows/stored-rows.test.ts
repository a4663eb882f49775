import fc from 'fast-check'
import { expect, test } from 'vitest'
import { entriesIn } from '../../../../../../schemas/intelligence/state/rows/stored-rows.ts'
import { entityRow } from '../../../../../builders/intelligence/entity-row.ts'
import { keyedEntry, packed } from '../../../../../builders/lookups/keyed.ts'

const ENTITIES = ['8.8.8.8', '9.9.9.9'].map((value, i) => ({
  type: 'ip',
  value,
  wide: false,
  rows: Array.from({ length: i + 1 }, (_, n) => entityRow({ audience: BigInt(n), tags: ['t'] })),
}))
const BYTES = packed(ENTITIES)

test('what was packed is found again', () => {
  expect(entriesIn({ entries: BYTES })).toEqual(ENTITIES.map(keyedEntry))
  expect(entriesIn({ entries: Buffer.alloc(0) })).toEqual([])
})

test('what is cut is none', () => {
  const { entry } = keyedEntry(ENTITIES[0]!)
  const first = 20 + entry.length
  for (let length = 1; length < BYTES.length; length++)
    if (length !== first) expect([length, entriesIn({ entries: BYTES.subarray(0, length) })]).toEqual([length, null])
})

test('whatever the bytes are, every entry that is found is read to its end', () => {
  const changed = fc.array(fc.tuple(fc.nat({ max: BYTES.length - 1 }), fc.nat({ max: 255 })), {
    minLength: 1,
    maxLength: 4,
  })
  fc.assert(
    fc.property(changed, (changes) => {
      const entries = Buffer.from(BYTES)
      for (const [at, byte] of changes) entries[at] = byte
      for (const { entry } of entriesIn({ entries }) ?? []) {
        const head = entry.readUInt16LE(0) === 0xffff ? 2 : 2 + entry.readUInt16LE(0)
        let at = head + 8
        for (let steps = 0; at < entry.length; steps++) {
          expect(steps).toBeLessThan(100)
          at += entry.readUInt32LE(at)
        }
        expect(at).toBe(entry.length)
      }
    }),
    { numRuns: 2_000 },
  )
})
