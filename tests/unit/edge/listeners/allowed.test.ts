import { describe, expect, test } from 'vitest'
import { allowing, isLoopback } from '../../../../edge/listeners/allowed.ts'

describe('--allow', () => {
  test('not given lets everybody in who reaches the listener', () => {
    const all = allowing(null)
    for (const address of ['127.0.0.1', '203.0.113.9', '2001:db8::1', undefined]) expect(all(address)).toBe(true)
  })

  test('lets in networks and addresses of both families, and nobody else', () => {
    const some = allowing(['192.0.2.0/24', '2001:db8::/32', '198.51.100.7'])
    for (const address of ['192.0.2.1', '192.0.2.255', '2001:db8:1::9', '198.51.100.7', '::ffff:192.0.2.9'])
      expect([address, some(address)]).toEqual([address, true])
    for (const address of [
      '192.0.3.1',
      '198.51.100.8',
      '2001:db9::',
      '127.0.0.1',
      '::1',
      '::ffff:192.0.3.1',
      undefined,
    ])
      expect([address, some(address)]).toEqual([address, false])
  })

  test('of IPv4 lets in what a socket of both families names, in any letter case', () => {
    const some = allowing(['10.0.0.0/8'])
    for (const address of ['::ffff:10.1.2.3', '::FFFF:10.1.2.3', '10.1.2.3']) expect(some(address)).toBe(true)
  })

  test('takes a network with host bits, and lengths at both ends', () => {
    expect(allowing(['192.0.2.99/24'])('192.0.2.1')).toBe(true)
    expect(allowing(['0.0.0.0/0'])('203.0.113.9')).toBe(true)
    expect(allowing(['0.0.0.0/0'])('2001:db8::1')).toBe(false)
    expect(allowing(['::/0'])('2001:db8::1')).toBe(true)
    expect(allowing(['2001:db8::1/128'])('2001:db8::2')).toBe(false)
  })

  test('takes the address of a link with its zone', () => {
    expect(allowing(['fe80::/10'])('fe80::1%eth0')).toBe(true)
  })

  test.each(['', '192.0.2.0/33', '2001:db8::/129', '192.0.2.0/', '192.0.2.0/-1', '192.0.2.0/24/8', '192.0.2/24'])(
    'refuses %j, and names it',
    (network) => expect(() => allowing(['10.0.0.0/8', network])).toThrow(JSON.stringify(network)),
  )

  test.each(['localhost', '*', '192.0.2.0-192.0.2.9', '192.0.2.0/255.255.255.0', '1.2.3.4 '])('refuses %j', (network) =>
    expect(() => allowing([network])).toThrow('is no network'),
  )
})

test('this machine alone is 127.0.0.0/8 and ::1', () => {
  for (const address of ['127.0.0.1', '127.255.0.9', '::1', '::ffff:127.0.0.1']) expect(isLoopback(address)).toBe(true)
  for (const address of ['0.0.0.0', '::', '128.0.0.1', '10.0.0.1', 'fe80::1']) expect(isLoopback(address)).toBe(false)
})
