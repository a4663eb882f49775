import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isAddressIn, parseNetworks } from '../../../../schemas/accounts/client-networks.ts'
import {
  boundGroups,
  isNarrowed,
  type KeyReach,
  narrow,
  UNBOUNDED,
  widerBound,
  widerPart,
} from '../../../../schemas/accounts/key-bounds.ts'
import { SCOPES } from '../../../../schemas/accounts/scopes.ts'

const someOf = <T>(all: readonly T[]) =>
  fc.option(fc.uniqueArray(fc.constantFrom(...all), { minLength: 1, maxLength: 4 }))

/** Networks in one another, and apart. */
const NETWORKS = [
  '0.0.0.0/0',
  '10.0.0.0/8',
  '10.1.0.0/16',
  '10.1.2.0/24',
  '10.1.2.3/32',
  '2001:db8::/32',
  '2001:db8:1::/48',
]
const GROUPS = ['blue', 'green', 'public', 'red', 'customer-1']

const reaches: fc.Arbitrary<KeyReach> = fc.record({
  scopes: someOf(SCOPES),
  groups: someOf(GROUPS),
  networks: someOf(NETWORKS),
  expiresAt: fc.option(fc.integer({ min: 1, max: 5 })),
})

/** What is not null of a reach: what a request names. */
const asked = (reach: KeyReach): Partial<KeyReach> =>
  Object.fromEntries(Object.entries(reach).filter(([, value]) => value !== null))

/** Everything that a key in this world could do, one by one. */
function powers(reach: KeyReach): Set<string> {
  const addresses = ['9.9.9.9', '10.9.9.9', '10.1.9.9', '10.1.2.9', '10.1.2.3', '2001:db8:9::1', '2001:db8:1::1', '::1']
  const from = addresses.filter((at) => reach.networks === null || isAddressIn(parseNetworks(reach.networks), at))
  const times = [0, 1, 2, 3, 4, 5].filter((at) => reach.expiresAt === null || at < reach.expiresAt)
  const can = new Set<string>()
  for (const scope of reach.scopes ?? SCOPES)
    for (const group of boundGroups(GROUPS, reach))
      for (const address of from) for (const time of times) can.add(`${scope} ${group} ${address} ${time}`)
  return can
}

const isWithin = (inner: Set<string>, outer: Set<string>): boolean => [...inner].every((one) => outer.has(one))

const isReach = (given: KeyReach | { wider: string }): given is KeyReach => !('wider' in given)

test('whatever is asked for, a key is never narrowed to more than it was', () => {
  fc.assert(
    fc.property(reaches, reaches, (before, given) => {
      const after = narrow(before, asked(given))
      if (!isReach(after)) return
      expect(isWithin(powers(after), powers(before))).toBe(true)
      expect(widerPart(after, before)).toBeNull()
    }),
  )
})

test('what is refused would have reached further, and nothing else is refused', () => {
  fc.assert(
    fc.property(reaches, reaches, (before, given) => {
      const after = narrow(before, asked(given))
      const wanted = { ...before, ...asked(given) }
      if (isReach(after)) expect(after).toEqual(wanted)
      else expect(after.wider).toMatch(/^(scopes|groups|networks|expireAt)$/)
      expect(isReach(after)).toBe(widerPart(wanted, before) === null)
    }),
  )
})

test('a part that is wider by itself lets the key do what it could not', () => {
  const parts = ['scopes', 'groups', 'networks', 'expiresAt'] as const
  fc.assert(
    fc.property(reaches, reaches, fc.constantFrom(...parts), (before, given, part) => {
      const after = narrow(before, asked({ ...before, [part]: given[part] }))
      if (isReach(after)) return
      // A key that is good for nothing shows no difference.
      const open = { scopes: null, groups: null, networks: null, expiresAt: null }
      const [was, would] = [
        { ...open, [part]: before[part] },
        { ...open, [part]: given[part] },
      ]
      expect(isWithin(powers(would), powers(was))).toBe(false)
    }),
  )
})

test('narrowing twice is narrowing by both', () => {
  fc.assert(
    fc.property(reaches, reaches, reaches, (before, first, second) => {
      const once = narrow(before, asked(first))
      if (!isReach(once)) return
      const twice = narrow(once, asked(second))
      if (!isReach(twice)) return
      expect(narrow(before, { ...asked(first), ...asked(second) })).toEqual(twice)
      expect(isWithin(powers(twice), powers(before)) && isWithin(powers(twice), powers(once))).toBe(true)
    }),
  )
})

test('nothing is wider than no bounds, and no bounds are wider than any', () => {
  const none: KeyReach = { ...UNBOUNDED, expiresAt: null }
  fc.assert(
    fc.property(reaches, (reach) => {
      expect(widerPart(reach, none)).toBeNull()
      expect(widerBound(UNBOUNDED, reach) === null).toBe(!isNarrowed(reach))
      expect(narrow(reach, {})).toEqual(reach)
    }),
  )
})

test('the part that reaches further is named as its request calls it', () => {
  const before: KeyReach = { scopes: ['read'], groups: ['blue'], networks: ['10.0.0.0/8'], expiresAt: 5 }
  expect(narrow(before, { scopes: ['read', 'admin'] })).toEqual({ wider: 'scopes' })
  expect(narrow(before, { groups: ['red'] })).toEqual({ wider: 'groups' })
  expect(narrow(before, { networks: ['10.1.0.0/16', '11.0.0.0/8'] })).toEqual({ wider: 'networks' })
  expect(narrow(before, { expiresAt: 6 })).toEqual({ wider: 'expireAt' })
  expect(widerPart({ ...before, networks: null }, before)).toBe('networks')
  expect(widerPart({ ...before, expiresAt: null }, before)).toBe('expireAt')
  expect(narrow(before, { networks: ['10.1.2.3/32'], expiresAt: 4 })).toMatchObject({ expiresAt: 4 })
})
