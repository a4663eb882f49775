import { expect, test } from 'vitest'
import { ownPath, signInFrom } from '../../../../../console/src/session/own-path.ts'

const own = ['/', '/search?q=1.2.3.4', '/account/keys', '/entity/ip-00?tab=a#b', '/search?q=https%3A%2F%2Fevil.example']
for (const path of own) test(`${path} is led back to`, () => expect(ownPath(path)).toBe(path))

const others = [
  null,
  '',
  'https://evil.example/',
  '//evil.example/',
  '///evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  '/\t/evil.example',
  '/\n/evil.example',
  '/a/..//evil.example',
  'javascript:alert(1)',
  'data:text/html,x',
  'search',
  ' /search',
  '/sign-in',
  '/sign-in?to=%2Fsign-in',
  `/${'a'.repeat(3_000)}`,
]
for (const to of others)
  test(`${JSON.stringify(to)?.slice(0, 40)} leads to the first page`, () => expect(ownPath(to)).toBe('/'))

test('whatever is led back to stays at home', () => {
  for (const to of [...own, ...others]) {
    expect(new URL(ownPath(to), 'https://console.example').origin).toBe('https://console.example')
  }
})

test('the way to sign in names where it began, unless that says nothing', () => {
  expect(signInFrom('/search', 'q=a b')).toBe('/sign-in?to=%2Fsearch%3Fq%3Da%2520b')
  expect(signInFrom('/', '')).toBe('/sign-in')
  expect(signInFrom('/sign-in', 'with=keys')).toBe('/sign-in')
})
