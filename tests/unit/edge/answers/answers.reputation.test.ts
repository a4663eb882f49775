import fc from 'fast-check'
import { expect, test } from 'vitest'
import { reputations } from '../../../../api/intelligence/services/reputation/reputation.ts'
import type { EdgeItem } from '../../../../connectors/edge-list/port.ts'
import { edgeAnswers } from '../../../../edge/answers/answers.ts'
import { normalise } from '../../../../schemas/intelligence/entities/normalise.ts'
import type { Verdict } from '../../../../schemas/intelligence/reputation/who-decides.ts'
import { builtIn } from '../../../../schemas/intelligence/scoring/rules.ts'
import { itemList } from '../../../builders/edge/item-list.ts'
import { longer } from '../../../builders/platform/longer.ts'
import { memoryLookups, PUBLIC_AUDIENCE, presentRow } from '../../../builders/reputation/memory-lookups.ts'

/** An edge says what the platform says over the same items (decisions 19.3). */

const platform = reputations(builtIn)

const SUFFIXES = ['example', 'github.io', 'co.uk', 'com']
const LABELS = ['a', 'b', 'evil', 'xn--80ak6aa92e']
const name = fc
  .tuple(fc.array(fc.constantFrom(...LABELS), { maxLength: 3 }), fc.constantFrom(...SUFFIXES))
  .map(([labels, suffix]) => [...labels, suffix].join('.'))
const octet = fc.constantFrom(0, 1, 9, 64, 128, 255)
const address = fc.oneof(
  fc.tuple(octet, octet).map(([a, b]) => `203.0.${a}.${b}`),
  fc.constantFrom('10.0.0.1', '127.0.0.1', '::1', '2001:db8::1', '2001:db8:40::9', '::ffff:203.0.1.1', '8.8.8.8'),
)
const CLEARED: [string, number[]][] = [
  ['203.0.0.0', [8, 16, 17, 20, 24, 32]],
  ['203.0.64.0', [18, 20, 24, 26]],
  ['10.0.0.0', [8, 24]],
  ['2001:db8::', [32, 33, 64, 128]],
]
const network = fc
  .constantFrom(...CLEARED)
  .chain(([first, lengths]) => fc.constantFrom(...lengths).map((bits) => `${first}/${bits}`))
const text = fc.constantFrom('just words', 'd41d8cd98f00b204e9800998ecf8427e', '', 'CVE-2024-3094', 'ip:8.8.8.8x', '@')

const item = fc
  .record({
    of: fc.oneof(
      address.map((value) => ['ip', value] as const),
      network.map((value) => ['cidr', value] as const),
      fc.tuple(fc.constantFrom('domain', 'hostname'), name),
      fc.tuple(fc.constantFrom('password', 'username'), fc.oneof(name, address, network, text)),
      name.map((host) => ['url', `http://${host}/x`] as const),
      name.map((host) => ['email-address', `x@${host}`] as const),
    ),
    reputation: fc.integer({ min: -3, max: 3 }),
    accuracy: fc.integer({ min: 0, max: 3 }),
    tags: fc.uniqueArray(fc.constantFrom('c2', 'botnet', 'я')),
  })
  .map(({ of: [type, value], ...rest }): EdgeItem => ({ type, value, ...rest, tags: [...rest.tags].sort() }))
const items = fc.uniqueArray(item, { minLength: 6, maxLength: 25, selector: ({ type, value }) => `${type} ${value}` })

const asked = fc.oneof(
  address,
  network,
  name,
  text,
  address.map((value) => value.replaceAll('.', '[.]')),
  name.map((value) => value.toUpperCase()),
  fc.oneof(name, address).map((host) => `hxxp://${host.includes(':') ? `[${host}]` : host}:81/y?z`),
  name.map((host) => `y@${host}`),
  name.map((host) => `http://${host}/x`),
)

/** A verdict of the platform in the form of an edge. */
function ofEdge({ value, known, id, type, reputation, accuracy, tags, by }: Verdict): object {
  if (!known && by === undefined) return { value, listed: false }
  return { value, listed: true, ...(known && { id, type }), reputation, accuracy, tags, ...(by && { by }) }
}

test('the answer to any value is the reputation over the items of the list', async () => {
  let decided = 0
  await fc.assert(
    fc.asyncProperty(items, fc.array(asked, { minLength: 5, maxLength: 20 }), async (list, values) => {
      const rows = list.map(({ type, value, ...given }) => presentRow(type, value, { ...given, tags: [...given.tags] }))
      const verdicts = await platform(memoryLookups(rows), [PUBLIC_AUDIENCE], values)
      const edge = edgeAnswers({ list: () => itemList(list), isStale: () => false, ageSeconds: () => 0 })
      expect(values.map((value) => edge.answer(value))).toEqual(verdicts.map(ofEdge))
      decided += verdicts.filter(({ by }) => by !== undefined).length
    }),
    { numRuns: longer(300) },
  )
  expect(decided).toBeGreaterThan(50)
})

test('a key with its type is the value itself where the form of the value is that type', () => {
  const typed = fc.oneof(
    address.map((value) => ['ip', value] as const),
    network.map((value) => ['cidr', value] as const),
    name.map((value) => ['domain', value] as const),
  )
  let listed = 0
  fc.assert(
    fc.property(items, typed, (list, [type, value]) => {
      fc.pre(normalise(type, value) === value)
      // No other type under the same value.
      const alone = list.filter((one) => ['cidr', 'ip', 'domain'].includes(one.type))
      const edge = edgeAnswers({ list: () => itemList(alone), isStale: () => false, ageSeconds: () => 0 })
      const key = `${type}:${value}`
      expect(edge.answer(key)).toEqual({ ...edge.answer(value), value: key })
      if (edge.answer(key).listed) listed++
    }),
    { numRuns: longer(200) },
  )
  expect(listed).toBeGreaterThan(20)
})
