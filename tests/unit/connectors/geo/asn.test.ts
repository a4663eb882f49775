import { expect, test } from 'vitest'
import { asnTable } from '../../../../connectors/geo/asn.ts'
import { ipv6Words } from '../../../../connectors/geo/geo-address.ts'
import { parseIpv4 } from '../../../../schemas/intelligence/entities/datatypes/ipv4.ts'

const decimal6 = (text: string) => ipv6Words(text)!.reduce((sum, word) => (sum << 32n) + BigInt(word), 0n)
const four = (from: string, to: string, rest: string) => `${parseIpv4(from)},${parseIpv4(to)},${rest}`
const six = (from: string, to: string, rest: string) => `${decimal6(from)},${decimal6(to)},${rest}`

const table = asnTable(
  Buffer.from(
    [
      four('1.0.0.0', '1.0.0.255', '1,"One, Inc."'),
      four('1.0.4.0', '1.0.7.255', '2,The ""Two""'),
      four('5.0.0.0', '5.0.1.255', '3,"Three ""3"""'),
      four('5.0.1.0', '5.0.1.255', '1,"One, Inc."'),
    ].join('\n'),
  ),
  Buffer.from(
    `${six('2001:db8::', '2001:db8::ffff', '4,Vier GmbH')}\r\n${six('2001:db9::', '2001:db9:1::', '5,Fünf')}\n`,
  ),
)

const ipv4 = [
  ['0.255.255.255', undefined],
  ['1.0.0.0', { asn: 1, aso: 'One, Inc.' }],
  ['1.0.0.255', { asn: 1, aso: 'One, Inc.' }],
  ['1.0.1.0', undefined],
  ['1.0.5.0', { asn: 2, aso: 'The ""Two""' }],
  ['5.0.0.9', { asn: 3, aso: 'Three "3"' }],
  ['5.0.1.9', { asn: 1, aso: 'One, Inc.' }],
  ['255.255.255.255', undefined],
] as const
for (const [address, want] of ipv4) {
  test(`${address} is ${want?.aso ?? 'in no range'}`, () => expect(table.ipv4(parseIpv4(address))).toEqual(want))
}

const ipv6 = [
  ['2001:db7:ffff:ffff:ffff:ffff:ffff:ffff', undefined],
  ['2001:db8::', 'Vier GmbH'],
  ['2001:db8::ffff', 'Vier GmbH'],
  ['2001:db8::1:0', undefined],
  ['2001:db9:1::', 'Fünf'],
  ['2001:db9:1::1', undefined],
] as const
for (const [address, want] of ipv6) {
  test(`${address} is ${want ?? 'in no range'}`, () => expect(table.ipv6(ipv6Words(address)!)?.aso).toBe(want))
}

const nothing = Buffer.alloc(0)
const malformed = [
  ['a row with too few fields', '1,2,3\n', 'line 1'],
  ['a row whose address is text', '1,2,3,A\nx,4,5,B\n', 'line 2'],
  ['a range that ends before it begins', '9,2,3,A\n', 'line 1'],
  ['rows out of order', '9,10,3,A\n1,2,3,B\n', 'line 2'],
  ['an AS number that is text', '9,10,AS3,A\n', 'line 1'],
] as const
for (const [name, csv, where] of malformed) {
  test(`${name} is refused with its line`, () => {
    expect(() => asnTable(Buffer.from(csv), nothing)).toThrow(where)
  })
}

const wrong = [
  ['no number', '9,1x,3,A\n'],
  ['empty', '9,,3,A\n'],
  ['of more than 128 bits', `9,${2n ** 128n},3,A\n`],
] as const
for (const [what, csv] of wrong) {
  test(`an IPv6 address that is ${what} is refused with its line`, () => {
    expect(() => asnTable(nothing, Buffer.from(csv))).toThrow('IPv6, line 1')
  })
}

test('the last IPv6 address is read exactly', () => {
  const last = asnTable(nothing, Buffer.from(`${2n ** 128n - 2n},${2n ** 128n - 1n},3,A\n`))
  const found = ['fffd', 'fffe', 'ffff'].map((end) => last.ipv6(ipv6Words(`${'ffff:'.repeat(7)}${end}`)!)?.aso)
  expect(found).toEqual([undefined, 'A', 'A'])
})

test('IPv6 rows out of order are refused with their line', () => {
  expect(() => asnTable(nothing, Buffer.from('9,10,3,A\n1,2,3,B\n'))).toThrow('IPv6, line 2')
})

test('an empty table knows nothing', () => {
  expect(asnTable(nothing, nothing).ipv4(1)).toBeUndefined()
})
