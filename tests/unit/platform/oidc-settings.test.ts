import { expect, test } from 'vitest'
import { loadConfig } from '../../../platform/config.ts'

const SET = {
  HARRIER_OIDC_ISSUER: 'https://login.example.com/realms/main',
  HARRIER_OIDC_CLIENT_ID: 'harrier',
  HARRIER_OIDC_CLIENT_SECRET: 'a-secret',
  HARRIER_OIDC_REDIRECT_URI: 'https://ti.example.com/auth/v2/oidc/callback',
}

test('all of them are single sign-on, none of them is none', () => {
  expect(loadConfig({}).oidc).toBe(null)
  expect(loadConfig({ ...SET, HARRIER_OIDC_MAPPING_FILE: '/etc/mapping.json' }).oidc).toEqual({
    issuer: 'https://login.example.com/realms/main',
    clientId: 'harrier',
    clientSecret: 'a-secret',
    redirectUri: 'https://ti.example.com/auth/v2/oidc/callback',
    mappingFile: '/etc/mapping.json',
    trustsEmail: false,
  })
  expect(loadConfig({ ...SET, HARRIER_OIDC_TRUST_EMAIL: 'true' }).oidc?.trustsEmail).toBe(true)
})

test('some of them are a mistake', () => {
  for (const name of Object.keys(SET)) {
    const { [name as keyof typeof SET]: _, ...rest } = SET
    expect(() => loadConfig(rest)).toThrow(/HARRIER_OIDC_ISSUER, .* must be set together/)
  }
  expect(() => loadConfig({ HARRIER_OIDC_MAPPING_FILE: '/etc/mapping.json' })).toThrow(/requires HARRIER_OIDC_ISSUER/)
  expect(() => loadConfig({ HARRIER_OIDC_TRUST_EMAIL: 'true' })).toThrow(/TRUST_EMAIL requires HARRIER_OIDC_ISSUER/)
})

test('an address is https, or http on loopback, and the callback has its path', () => {
  const faulty = (name: string, value: string) => {
    try {
      loadConfig({ ...SET, [name]: value })
      return false
    } catch (error) {
      expect((error as Error).message).toContain(name)
      expect((error as Error).message).not.toContain('example')
      return true
    }
  }
  for (const url of [
    'http://login.example.com',
    'http://127.0.0.1.example.com',
    'login.example.com',
    'https://u:p@example.com',
  ])
    expect({ url, faulty: faulty('HARRIER_OIDC_ISSUER', url) }).toEqual({ url, faulty: true })
  for (const url of ['http://127.0.0.1:8080', 'http://localhost:8080', 'http://[::1]:8080'])
    expect({ url, faulty: faulty('HARRIER_OIDC_ISSUER', url) }).toEqual({ url, faulty: false })
  expect(faulty('HARRIER_OIDC_REDIRECT_URI', 'https://ti.example.com/other')).toBe(true)
  expect(faulty('HARRIER_OIDC_REDIRECT_URI', 'https://ti.example.com/auth/v2/oidc/callback?a=b')).toBe(true)
})
