import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { newSigningSecret } from '../../../../../schemas/casework/deliveries/destination.ts'
import { signedHeaders } from '../../../../../schemas/casework/deliveries/signature.ts'
import { verify } from '../../../../builders/scans/webhooks.ts'

const headersOf = (...given: Parameters<typeof signedHeaders>) =>
  Object.fromEntries(signedHeaders(...given).map(({ key, value }) => [key, value]))

const now = () => Math.floor(Date.now() / 1000)

test('a secret is whsec_ and 32 random bytes in base64', () => {
  const [a, b] = [newSigningSecret(), newSigningSecret()]
  expect(a).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
  expect(Buffer.from(a.slice('whsec_'.length), 'base64')).toHaveLength(32)
  expect(a).not.toBe(b)
})

test('the public library of Standard Webhooks verifies what is signed, and nothing that was changed', () => {
  const secret = newSigningSecret()
  const body = Buffer.from('{"type":"test","text":"ä"}')
  const headers = headersOf(secret, 'some-id', now(), body)
  expect(new Webhook(secret).verify(body, headers)).toEqual({ type: 'test', text: 'ä' })
  const broken = [
    () => new Webhook(newSigningSecret()).verify(body, headers),
    () => new Webhook(secret).verify(`${body} `, headers),
    () => new Webhook(secret).verify(body, { ...headers, 'webhook-id': 'other-id' }),
    () => new Webhook(secret).verify(body, headersOf(secret, 'some-id', now() - 3_600, body)),
  ]
  for (const one of broken) expect(one).toThrow()
})

test('the check that the platform documents for its other webhooks takes it as well', () => {
  const secret = newSigningSecret()
  const body = Buffer.from('{}')
  const at = now()
  const headers = headersOf(secret, 'some-id', at, body)
  expect(headers['x-harrier-delivery']).toBe('some-id')
  expect(verify(secret, headers['x-harrier-signature'], body, at)).toBe(true)
})
