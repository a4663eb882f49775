import { expect, test } from 'vitest'
import { indexedCoverings } from '../../../../../../api/intelligence/services/entity/covering-index.ts'
import { entityId } from '../../../../../../schemas/intelligence/entities/id.ts'
import { builtIn } from '../../../../../../schemas/intelligence/scoring/rules.ts'
import { memoryLookups, PUBLIC_AUDIENCE, presentRow } from '../../../../../builders/reputation/memory-lookups.ts'

const BLUE = 7n
const network = (value: string, given: Parameters<typeof presentRow>[2] = {}) => presentRow('cidr', value, given)
const ROWS = [
  network('8.0.0.0/8', { reputation: -1, accuracy: 2, tags: ['wide'], lastSeen: 1_000 }),
  network('8.8.8.0/24', { wellKnown: true }),
  network('8.8.0.0/16', { retracted: true }),
  network('8.8.8.8/31', { audience: BLUE }),
  presentRow('text', '8.8.8.0/24'),
]
const reader = (...audiences: bigint[]) => ({ groups: [], audiences, own: [], visibleBy: () => [] })
const stored = { covering: async () => new Map([['8.8.8.8', []]]) }
const covering = (by: 'index' | 'store', rows = ROWS) =>
  indexedCoverings({ next: async () => memoryLookups(rows, by) }, builtIn, stored).covering

test('the networks around an address come out of the index, most specific first, as far as the reader may read', async () => {
  const found = await covering('index')(reader(PUBLIC_AUDIENCE), ['8.8.8.8', '9.9.9.9', '8.8.8.8'])
  expect([...found.keys()]).toEqual(['8.8.8.8'])
  expect(found.get('8.8.8.8')).toEqual([
    expect.objectContaining({ id: entityId('cidr', '8.8.8.0/24'), value: '8.8.8.0/24', wellKnown: true }),
    {
      id: entityId('cidr', '8.0.0.0/8'),
      value: '8.0.0.0/8',
      reputation: -1,
      accuracy: 2,
      wellKnown: false,
      tags: ['wide'],
      lastSeen: '1970-01-01T00:00:01.000Z',
    },
  ])
  const all = await covering('index')(reader(PUBLIC_AUDIENCE, BLUE), ['8.8.8.8'])
  expect(all.get('8.8.8.8')!.map(({ value }) => value)).toEqual(['8.8.8.8/31', '8.8.8.0/24', '8.0.0.0/8'])
})

test('at most 32 of them are shown', async () => {
  const nested = Array.from({ length: 60 }, (_, i) => network(`2001:db8::/${i + 32}`))
  const found = await covering('index', nested)(reader(PUBLIC_AUDIENCE), ['2001:db8::'])
  expect(found.get('2001:db8::')!.map(({ value }) => value)).toEqual(
    nested
      .map(({ value }) => value)
      .reverse()
      .slice(0, 32),
  )
})

test('where the store answers, it is asked', async () => {
  expect(await covering('store')(reader(PUBLIC_AUDIENCE), ['8.8.8.8'])).toEqual(new Map([['8.8.8.8', []]]))
  expect(await covering('index')(reader(PUBLIC_AUDIENCE), [])).toEqual(new Map())
})
