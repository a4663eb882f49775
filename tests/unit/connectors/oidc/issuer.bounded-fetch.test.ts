import { expect, test } from 'vitest'
import { isAllowed } from '../../../../connectors/oidc/issuer.ts'

test('requests go to https, and of an issuer on loopback to loopback', () => {
  const allowed = (url: string, plain: boolean) => isAllowed(new URL(url), plain)
  expect(allowed('https://login.example.com/', false)).toBe(true)
  expect(allowed('https://login.example.com/', true)).toBe(true)
  expect(allowed('http://127.0.0.1:8080/', true)).toBe(true)
  expect(allowed('http://[::1]/', true)).toBe(true)
  expect(allowed('http://127.0.0.1/', false)).toBe(false)
  expect(allowed('http://127.0.0.1.example.com/', true)).toBe(false)
  expect(allowed('http://10.0.0.1/', true)).toBe(false)
  expect(allowed('file:///etc/passwd', true)).toBe(false)
})
