import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  audienceId,
  canonicalAudience,
  MAX_GROUPS,
  resolveVisibleBy,
} from '../../../../../schemas/intelligence/observations/audience.ts'

const bySha256 = (json: string): bigint => BigInt(`0x${createHash('sha256').update(json).digest('hex').slice(0, 16)}`)

describe('audience id', () => {
  test('is the first 8 bytes of SHA-256 over the JSON of the sorted distinct groups', () => {
    expect(audienceId(['public'])).toBe(bySha256('["public"]'))
    expect(audienceId(['b', 'a', 'b'])).toBe(bySha256('["a","b"]'))
  })
  test('a set with public is public', () => {
    expect(audienceId(['secret', 'public'])).toBe(audienceId(['public']))
    expect(canonicalAudience(['secret', 'public'])).toEqual(['public'])
  })
  test('groups whose names run together are different sets', () => {
    expect(audienceId(['a', 'bc'])).not.toBe(audienceId(['ab', 'c']))
    expect(audienceId(['a","b'])).not.toBe(audienceId(['a', 'b']))
  })
  test('more audiences than the cache holds keep their ids', () => {
    const first = audienceId(['group-0'])
    for (let i = 0; i < 20_001; i++) audienceId([`group-${i}`])
    expect(audienceId(['group-0'])).toBe(first)
  })
  test('property: neither order nor repetition counts', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string(), { minLength: 1, maxLength: 8 }),
        fc.infiniteStream(fc.nat()),
        (groups, order) => {
          const shuffled = [...groups, ...groups].sort(() => ((order.next().value as number) % 2 ? 1 : -1))
          expect(audienceId(shuffled)).toBe(audienceId(groups))
        },
      ),
    )
  })
})

const mine = ['team-a', 'customer-1']
const accepted = [
  {
    name: 'without visibleBy: all groups of the submitter',
    requested: undefined,
    groups: mine,
    want: ['customer-1', 'team-a'],
  },
  { name: 'null is without', requested: null, groups: mine, want: ['customer-1', 'team-a'] },
  { name: 'assigned public swallows the rest', requested: undefined, groups: ['public', 'team-a'], want: ['public'] },
  { name: 'a group of the submitter', requested: ['team-a'], groups: mine, want: ['team-a'] },
  { name: 'the same group twice is once', requested: ['team-a', 'team-a'], groups: mine, want: ['team-a'] },
  { name: 'everyone may name public', requested: ['public'], groups: mine, want: ['public'] },
  { name: 'public beside a group is public', requested: ['team-a', 'public'], groups: mine, want: ['public'] },
]
for (const { name, requested, groups, want } of accepted)
  test(`visibleBy: ${name}`, () => expect(resolveVisibleBy(requested, groups)).toEqual({ ok: true, audience: want }))

const refused = [
  { name: 'a group of others is foreign', requested: ['team-b'], groups: mine, kind: 'foreign', param: 'visibleBy[0]' },
  {
    name: 'one foreign group is enough',
    requested: ['public', 'team-b'],
    groups: mine,
    kind: 'foreign',
    param: 'visibleBy[1]',
  },
  { name: 'case counts', requested: ['Team-A'], groups: mine, kind: 'foreign', param: 'visibleBy[0]' },
  { name: 'an empty list is invalid', requested: [], groups: mine, kind: 'invalid', param: 'visibleBy' },
  { name: 'a blank name is invalid', requested: [' '], groups: mine, kind: 'invalid', param: 'visibleBy[0]' },
  {
    name: 'a name without end is invalid',
    requested: ['x'.repeat(257)],
    groups: mine,
    kind: 'invalid',
    param: 'visibleBy[0]',
  },
  {
    name: 'a list without end is invalid',
    requested: Array(MAX_GROUPS + 1).fill('public'),
    groups: mine,
    kind: 'invalid',
    param: 'visibleBy',
  },
  { name: 'who is in no group has to name one', requested: undefined, groups: [], kind: 'invalid', param: 'visibleBy' },
]
for (const { name, requested, groups, kind, param } of refused)
  test(`visibleBy: ${name}`, () => {
    const result = resolveVisibleBy(requested, groups)
    expect(result).toEqual({ ok: false, kind, param, message: expect.stringContaining('visibleBy') })
  })
