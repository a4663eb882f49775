import { expect, test } from 'vitest'
import {
  areDays,
  emptiedParts,
  fieldsOf,
  keyChange,
  NEW_KEY,
  networksFault,
  networksOf,
  newKeyBody,
  SCOPE_WORDS,
  scopesFor,
  shorten,
} from '../../../../../../../console/src/pages/account/keys/key-form.ts'
import type { KeyPair } from '../../../../../../../console/src/pages/account/keys/keys-api.ts'
import type { Scope } from '../../../../../../../schemas/accounts/scopes.ts'

const NOW = 1_800_000_000_999
const pair: KeyPair = {
  keyID: 'id',
  keyName: 'siem',
  apiKey: 'key',
  verified: true,
  createdAt: 0,
  expireAt: null,
  previousSecretUntil: null,
  scopes: null,
  groups: null,
  networks: null,
}
const narrowed: KeyPair = { ...pair, scopes: ['read', 'search'], groups: ['public'], networks: ['192.0.2.0/24'] }

test('nothing chosen is not sent: the key is not narrowed', () => {
  expect(newKeyBody({ ...NEW_KEY, name: ' siem ', days: 30 })).toEqual({ name: 'siem', days: 30 })
})

test('what is chosen is sent, a network for each line', () => {
  const fields = { ...NEW_KEY, name: 'siem', scopes: ['read' as const], groups: ['public'] }
  expect(newKeyBody({ ...fields, networks: ' 192.0.2.0/24 \n\n2001:db8::1, 198.51.100.7' })).toEqual({
    name: 'siem',
    days: 90,
    scopes: ['read'],
    groups: ['public'],
    networks: ['192.0.2.0/24', '2001:db8::1', '198.51.100.7'],
  })
})

for (const text of ['', '10.0.0.0/8', '192.0.2.7', '2001:db8::/32', '::1', '0.0.0.0/0'])
  test(`networks may be ${JSON.stringify(text)}`, () => expect(networksFault(text)).toBeNull())
for (const text of [
  'example.com',
  '192.0.2.0/33',
  '192.0.2',
  '2001:db8::/129',
  '192[.]0.2.0/24',
  'fe80::1%eth0',
  '01.2.3.4',
])
  test(`${text} is no network, and is named`, () => expect(networksFault(`10.0.0.0/8\n${text}`)).toContain(text))
test('there is an end to networks', () => {
  expect(networksFault(Array(100).fill('192.0.2.0/24').join('\n'))).toBeNull()
  expect(networksFault(Array(101).fill('192.0.2.0/24').join('\n'))).toBe('At most 100 networks')
})

test('days are whole, and from 1 to 3,650', () => {
  expect([1, 90, 3650].every(areDays)).toBe(true)
  expect(['', '9', 0, 3651, 1.5, Number.NaN].some(areDays)).toBe(false)
})

test('administration is offered to administrators alone', () => {
  const all = Object.keys(SCOPE_WORDS) as Scope[]
  expect(scopesFor(['user', 'auth_admin'])).toEqual(all)
  expect(scopesFor(['user', 'trusted'])).toEqual(all.filter((scope) => scope !== 'admin'))
})

test('the fields of a key pair change nothing by themselves', () => {
  for (const one of [pair, narrowed]) {
    expect(keyChange(one, fieldsOf(one), NOW)).toBeNull()
    expect(emptiedParts(one, fieldsOf(one))).toEqual({})
  }
  expect(networksOf(fieldsOf(narrowed).networks)).toEqual(['192.0.2.0/24'])
})

test('what was changed alone is sent, the end as seconds', () => {
  const before = fieldsOf(narrowed)
  expect(keyChange(narrowed, { ...before, name: ' siem 2 ' }, NOW)).toEqual({ name: 'siem 2' })
  expect(keyChange(narrowed, { ...before, scopes: ['search'] }, NOW)).toEqual({ scopes: ['search'] })
  expect(keyChange(narrowed, { ...before, scopes: ['search', 'read'] }, NOW)).toBeNull()
  expect(keyChange(narrowed, { ...before, networks: '192.0.2.7' }, NOW)).toEqual({ networks: ['192.0.2.7'] })
  expect(keyChange(pair, { ...fieldsOf(pair), groups: ['public'], days: 2 }, NOW)).toEqual({
    groups: ['public'],
    expireAt: 1_800_000_000 + 2 * 86_400,
  })
})

test('a part that was narrowed is not emptied, since that would be the whole again', () => {
  const empty = { ...fieldsOf(pair), name: 'siem' }
  expect(Object.keys(emptiedParts(narrowed, empty))).toEqual(['scopes', 'groups', 'networks'])
  expect(emptiedParts(pair, empty)).toEqual({})
})

test('a long list is cut, and says by how much', () => {
  expect(shorten(['a', 'b', 'c', 'd'])).toEqual(['a', 'b', 'c', 'd'])
  expect(shorten(['a', 'b', 'c', 'd', 'e'])).toEqual(['a', 'b', 'c', '2 more'])
})
