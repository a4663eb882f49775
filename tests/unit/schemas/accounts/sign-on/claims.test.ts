import { expect, test } from 'vitest'
import { profileOf } from '../../../../../schemas/accounts/sign-on/claims.ts'

test('an address and its verification come from one place', () => {
  const userInfo = { email: 'ada@example.com', email_verified: true }
  expect(profileOf({}, userInfo).email).toBe('ada@example.com')
  expect(profileOf({ email: 'ada@example.org', email_verified: true }, userInfo).email).toBe('ada@example.org')
  expect(profileOf({ email: 'ada@example.org' }, userInfo).email).toBe(null)
})

test('an address that could not be written to is none', () => {
  for (const email of ['ada', '"a b"@example.com', 'a\r\nbcc: b@example.com', `${'a'.repeat(250)}@example.com`, 7]) {
    expect(profileOf({ email, email_verified: true }, {}).email).toBe(null)
  }
})

test('names are on one line and within their length', () => {
  const { fullName, alias } = profileOf({ name: 'Ada\n\u0000Lovelace', preferred_username: 'a'.repeat(300) }, {})
  expect(fullName).toBe('Ada Lovelace')
  expect(alias).toBe('a'.repeat(100))
  expect(profileOf({ email: 'ada@example.com', email_verified: true, nickname: 7 }, {}).alias).toBe('ada')
})
