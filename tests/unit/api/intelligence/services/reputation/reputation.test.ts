import fc from 'fast-check'
import { expect, test } from 'vitest'
import { reputations } from '../../../../../../api/intelligence/services/reputation/reputation.ts'
import type { Lookups } from '../../../../../../connectors/lookups/port.ts'
import { builtIn } from '../../../../../../schemas/intelligence/scoring/rules.ts'
import { longer } from '../../../../../builders/platform/longer.ts'
import { memoryLookups, PUBLIC_AUDIENCE, presentRow } from '../../../../../builders/reputation/memory-lookups.ts'

const answers = reputations(builtIn)
const AUDIENCES = [PUBLIC_AUDIENCE]

const ROWS = [
  presentRow('ip', '203.0.113.9', { reputation: -3 }),
  presentRow('cidr', '203.0.112.0/22', { reputation: -1 }),
  presentRow('cidr', '203.0.113.64/26', { reputation: -3 }),
  presentRow('domain', 'evil.example', { reputation: -3 }),
  presentRow('domain', 'b.evil.example'),
  presentRow('password', '203.0.113.70', { reputation: 2 }),
]

const byOf = async (...values: string[]) =>
  (await answers(memoryLookups(ROWS), AUDIENCES, values)).map(({ by, reputation }) => [by?.value, reputation])

test('each kind of value is decided by what is nearest above it', async () => {
  expect(
    await byOf(
      '203.0.113.9',
      '203.0.113.10',
      '203.0.113.65',
      '203.0.113.70',
      '203.0.113.64/26',
      '203.0.113.64/27',
      '203.0.112.0/22',
      '203.0.112.0/21',
      'http://203.0.113.9/x',
      'http://203.0.113.10/x',
      'b.evil.example',
      'a.b.evil.example',
      'http://a.b.evil.example/',
      'x@b.evil.example',
      'other.example',
    ),
  ).toEqual([
    [undefined, -3],
    ['203.0.112.0/22', -1],
    ['203.0.113.64/26', -3],
    [undefined, 2],
    [undefined, -3],
    ['203.0.113.64/26', -3],
    [undefined, -1],
    [undefined, 0],
    ['203.0.113.9', -3],
    ['203.0.112.0/22', -1],
    ['evil.example', -3],
    ['evil.example', -3],
    ['evil.example', -3],
    ['evil.example', -3],
    [undefined, 0],
  ])
})

/** What is asked of the look-ups, by how many values. */
function counted() {
  const asked: string[] = []
  const rows = memoryLookups(ROWS)
  const lookups: Lookups = {
    ...rows,
    rows: (values, audiences) => {
      asked.push(`rows ${values.size}`)
      return rows.rows(values, audiences)
    },
    around: (inner, audiences) => {
      asked.push(`around ${inner.length}`)
      return rows.around(inner, audiences)
    },
  }
  return { asked, lookups }
}

test('a value that comes again is asked for once, and what decides itself is asked for nothing more', async () => {
  const own = counted()
  const verdicts = await answers(
    own.lookups,
    AUDIENCES,
    Array.from({ length: 1_000 }, () => '203.0.113.9'),
  )
  expect(verdicts).toHaveLength(1_000)
  expect(own.asked).toEqual(['rows 1'])
})

test('there are four questions at most, however many values', async () => {
  const many = counted()
  const values = Array.from({ length: 500 }, (_, i) => [
    `203.0.113.${i % 256}`,
    `h${i}.evil.example`,
    `http://h${i}.example/`,
  ])
  await answers(many.lookups, AUDIENCES, values.flat())
  expect(many.asked).toHaveLength(4)
})

test('no values are no question', async () => {
  const none = counted()
  expect(await answers(none.lookups, AUDIENCES, [])).toEqual([])
  expect(none.asked).toEqual([])
})

test('values asked for together are answered as each alone', async () => {
  const label = fc.constantFrom('a', 'b', 'evil', 'github')
  const name = fc.array(label, { minLength: 1, maxLength: 3 }).map((labels) => `${labels.join('.')}.example`)
  const address = fc.integer({ min: 0, max: 127 }).map((n) => `203.0.113.${n}`)
  const value = fc.oneof(
    name,
    address,
    name.map((host) => `http://${host}/`),
    address.map((host) => `http://${host}:8080/x`),
    name.map((host) => `x@${host}`),
    fc.tuple(address, fc.integer({ min: 20, max: 32 })).map(([of, bits]) => `${of}/${bits}`),
    fc.string({ maxLength: 8 }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(value, { maxLength: 20 }), async (values) => {
      const lookups = memoryLookups(ROWS)
      const together = await answers(lookups, AUDIENCES, values)
      for (const [i, one] of values.entries())
        expect((await answers(lookups, AUDIENCES, [one]))[0]).toEqual(together[i])
    }),
    { numRuns: longer(100) },
  )
})
