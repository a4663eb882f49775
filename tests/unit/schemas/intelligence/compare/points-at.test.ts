import { expect, test } from 'vitest'
import { isAddress, pointsAt } from '../../../../../schemas/intelligence/compare/points-at.ts'
import { normalise } from '../../../../../schemas/intelligence/entities/normalise.ts'

test.each<[string, string | null, string | null]>([
  ['http://Login.Example.COM/a', 'login.example.com', null],
  ['http://example.com./', 'example.com', null],
  ['https://ann:secret@example.com:8443/x#y', 'example.com', null],
  ['http://bücher.example/', 'xn--bcher-kva.example', null],
  ['http://198.51.100.77:8080/x', null, '198.51.100.77'],
  ['http://0x08080808/', null, '8.8.8.8'],
  ['http://[2001:DB8:0:0::9]/', null, '2001:db8::9'],
  ['http://[::ffff:198.51.100.7]/', null, '198.51.100.7'],
  ['http://10.0.0.1/', null, null],
  ['http://[fe80::1]/', null, null],
  ['http://127.0.0.1:80/admin', null, null],
])('%s points at the name %s, the address %s', (given, host, address) => {
  expect(pointsAt(normalise('url', given) as string)).toEqual({ host, address })
})

test.each<[string, boolean]>([
  ['8.8.8.8', true],
  ['2001:db8::1', true],
  ['::', true],
  ['8.8.8.8.example', false],
  ['example.com', false],
  ['1e100.net', false],
])('whether %s is an address: %s', (text, is) => {
  expect(isAddress(text)).toBe(is)
})
