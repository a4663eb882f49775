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

const email = 'ada@example.com'

test.each([
  ['a boolean', { email, email_verified: true }],
  ['text, as Cognito', { email, email_verified: 'true' }],
  ['xms_edov, as Entra ID', { email, xms_edov: true }],
  ['xms_edov as a number', { email, xms_edov: 1 }],
])('a verified address is said by %s', (_, claims) => {
  expect(profileOf(claims, {})).toMatchObject({ email, noEmail: null })
})

test.each([
  ['nothing, as Entra ID', { email }],
  ['false, as authentik', { email, email_verified: false }],
  ['text that is no yes', { email, email_verified: 'yes, perhaps' }],
  ['null', { email, email_verified: null }],
  ['false beside xms_edov', { email, email_verified: false, xms_edov: true }],
])('%s counts where the operator trusts the issuer, and is told where not', (_, claims) => {
  expect(profileOf(claims, {}, true)).toMatchObject({ email, noEmail: null })
  const { email: none, noEmail } = profileOf(claims, {})
  expect(none).toBeNull()
  expect(noEmail?.reason).toBe('no-verified-email')
  expect(noEmail?.why).toContain('HARRIER_OIDC_TRUST_EMAIL')
  expect(noEmail?.why).not.toContain('ada')
})

test('trust makes no address of what is none, and the claims that came are named', () => {
  const adfs = { sub: 'f-1', upn: 'eve@example.com', unique_name: 'EXAMPLE\\eve' }
  const why = 'there is no claim email; there are sub, unique_name, upn'
  expect(profileOf(adfs, {}, true)).toMatchObject({ email: null, noEmail: { reason: 'no-email', why } })
  expect(profileOf({ email: 'EXAMPLE\\eve' }, {}, true).email).toBeNull()
})

test('the user info may say that the same address is verified', () => {
  expect(profileOf({ email }, { email, email_verified: true }).email).toBe(email)
  expect(profileOf({ email, email_verified: false }, { email, email_verified: true }).email).toBeNull()
})
