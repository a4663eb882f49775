import fc from 'fast-check'
import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { newSigningSecret } from '../../../../../schemas/casework/deliveries/destination.ts'
import { signature, signedHeaders } from '../../../../../schemas/casework/deliveries/signature.ts'
import { SECRET, verify } from '../../../../builders/scans/webhooks.ts'

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

const NOW = 1_800_000_000
const BODY = Buffer.from('{"status":"done"}')
const SIGNED = signature(SECRET, NOW, BODY)

test('it is the time and the HMAC of time and body', () => {
  // echo -n '1800000000.{"status":"done"}' | openssl dgst -sha256 -hmac whsec-0123456789abcdef
  expect(SIGNED).toBe('t=1800000000,v1=b984786d58268353dd0c51e68bb9dcf6cb2718cbc82b44bc6e64c2ba519da0e2')
})

test('the documented check accepts what is signed, whatever the body and the secret are', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), fc.uint8Array(), fc.nat(2 ** 33), (secret, bytes, unix) => {
      const body = Buffer.from(bytes)
      expect(verify(secret, signature(secret, unix, body), body, unix)).toBe(true)
    }),
  )
})

const refused = [
  { name: 'another body', header: SIGNED, body: Buffer.from('{"status":"done"} ') },
  { name: 'another secret', header: signature(`${SECRET}x`, NOW, BODY) },
  { name: 'another time with the same code', header: SIGNED.replace('1800000000', '1800000001') },
  { name: 'a cut code', header: SIGNED.slice(0, -2) },
  { name: 'a longer code', header: `${SIGNED}00` },
  { name: 'no code', header: `t=${NOW},v1=` },
  { name: 'another version', header: SIGNED.replace('v1', 'v0') },
  { name: 'no header', header: undefined },
  { name: 'words', header: 'v1' },
  { name: 'what is older than five minutes', header: SIGNED, now: NOW + 301 },
  { name: 'what is from the future', header: SIGNED, now: NOW - 301 },
]
for (const { name, header, body = BODY, now = NOW } of refused)
  test(`the documented check refuses ${name}`, () => {
    expect(verify(SECRET, SIGNED, BODY, NOW)).toBe(true)
    expect(verify(SECRET, header, body, now)).toBe(false)
  })
