import fc from 'fast-check'
import { expect, test } from 'vitest'
import { normalise } from '../../../../../schemas/intelligence/entities/normalise.ts'
import {
  canCover,
  coversByDefault,
  isCoveredBy,
  type TypedValue,
} from '../../../../../schemas/intelligence/propagation/coverage.ts'
import { markIndex } from '../../../../../schemas/intelligence/propagation/mark-index.ts'

const named = (text: string): TypedValue => {
  const space = text.indexOf(' ')
  return { type: text.slice(0, space), value: text.slice(space + 1) }
}

const cases: { entity: string; mark: string; under: boolean; name: string }[] = [
  { name: 'an address in the network', entity: 'ip 203.0.113.255', mark: 'cidr 203.0.113.0/24', under: true },
  { name: 'an address after it', entity: 'ip 203.0.114.0', mark: 'cidr 203.0.113.0/24', under: false },
  { name: 'an address before it', entity: 'ip 203.0.112.255', mark: 'cidr 203.0.113.0/24', under: false },
  { name: 'a network of one address', entity: 'ip 8.8.8.8', mark: 'cidr 8.8.8.8/32', under: true },
  { name: 'the upper half of the addresses', entity: 'ip 203.0.113.9', mark: 'cidr 128.0.0.0/1', under: true },
  { name: 'a narrower network', entity: 'cidr 203.0.113.128/25', mark: 'cidr 203.0.113.0/24', under: true },
  { name: 'a wider network', entity: 'cidr 203.0.112.0/23', mark: 'cidr 203.0.113.0/24', under: false },
  { name: 'the network itself', entity: 'cidr 203.0.113.0/24', mark: 'cidr 203.0.113.0/24', under: false },
  { name: 'IPv6 in IPv6', entity: 'ip 2001:db8:0:8000::1', mark: 'cidr 2001:db8:0:8000::/49', under: true },
  { name: 'IPv6 beside it', entity: 'ip 2001:db8:0:7fff::1', mark: 'cidr 2001:db8:0:8000::/49', under: false },
  { name: 'IPv6 at its end', entity: 'ip 2001:db8::ffff:ffff', mark: 'cidr 2001:db8::/96', under: true },
  { name: 'IPv6 of one address', entity: 'ip 2001:db8::1', mark: 'cidr 2001:db8::1/128', under: true },
  { name: 'IPv4 in IPv6', entity: 'ip 8.8.8.8', mark: 'cidr ::fffe:0:0/95', under: false },
  { name: 'a name below the domain', entity: 'domain a.b.example.com', mark: 'domain example.com', under: true },
  { name: 'a name that only ends like it', entity: 'domain badexample.com', mark: 'domain example.com', under: false },
  { name: 'the domain above', entity: 'domain com.example', mark: 'domain www.com.example', under: false },
  { name: 'the domain itself', entity: 'domain example.com', mark: 'domain example.com', under: false },
  { name: 'a host of its name', entity: 'hostname example.com', mark: 'domain example.com', under: true },
  { name: 'a URL there', entity: 'url https://a.example.com:8443/x?y#z', mark: 'domain example.com', under: true },
  { name: 'a URL with a user', entity: 'url ftp://example.com@evil.test/', mark: 'domain example.com', under: false },
  {
    name: 'a URL with a backslash',
    entity: 'url https://evil.test\\@example.com/',
    mark: 'domain example.com',
    under: false,
  },
  {
    name: 'a URL that names it later',
    entity: 'url https://evil.test/example.com',
    mark: 'domain example.com',
    under: false,
  },
  { name: 'a URL of an address', entity: 'url https://203.0.113.5/', mark: 'cidr 203.0.113.0/24', under: false },
  { name: 'a text', entity: 'text example.com', mark: 'domain example.com', under: false },
  {
    name: 'something marked that covers nothing',
    entity: 'domain a.example.com',
    mark: 'hostname example.com',
    under: false,
  },
]
for (const { name, entity, mark, under } of cases)
  test(`${name}: ${entity} lies ${under ? '' : 'not '}under ${mark}`, () => {
    for (const { type, value } of [named(entity), named(mark)]) expect(normalise(type, value)).toBe(value)
    expect(isCoveredBy(named(entity), named(mark))).toBe(under)
    expect(markIndex([named(mark)]).over(named(entity))).toEqual(under ? named(mark) : null)
  })

test('a cidr and a domain can cover, and a cidr does by default', () => {
  expect(['cidr', 'domain', 'ip', 'url'].map(canCover)).toEqual([true, true, false, false])
  expect(['cidr', 'domain', 'ip', 'url'].map(coversByDefault)).toEqual([true, false, false, false])
})

const octet = fc.constantFrom(1, 2, 127, 128, 129, 255)
const ipv4 = fc.tuple(fc.constantFrom(8, 9), octet, octet, octet).map((parts) => parts.join('.'))
const ipv6 = fc
  .tuple(...Array.from({ length: 7 }, () => fc.constantFrom('0', '1', '8000', 'ffff')))
  .map((groups) => ['2001', ...groups].join(':'))
const label = fc.constantFrom('a', 'b', 'ab')
const host = fc.array(label, { maxLength: 3 }).map((labels) => [...labels, 'b', 'test'].join('.'))
const normal = (type: string, value: string): TypedValue => {
  const normalised = normalise(type, value)
  if (typeof normalised !== 'string') throw new Error(`${value} ${normalised.reason}`)
  return { type, value: normalised }
}
const network = fc.oneof(
  fc.tuple(ipv4, fc.integer({ min: 7, max: 32 })).map(([ip, bits]) => normal('cidr', `${ip}/${bits}`)),
  fc.tuple(ipv6, fc.integer({ min: 3, max: 128 })).map(([ip, bits]) => normal('cidr', `${ip}/${bits}`)),
)
const domain = host.map((value) => normal('domain', value))
const entity = fc.oneof(
  network,
  domain,
  fc.oneof(ipv4, ipv6).map((value) => normal('ip', value)),
  host.map((value) => normal('hostname', value)),
  host.map((value) => normal('url', `https://${value}:444/p`)),
)

test('the index finds a mark exactly when the rule says that the entity lies under one', () => {
  let found = 0
  fc.assert(
    fc.property(fc.array(fc.oneof(network, domain), { maxLength: 12 }), fc.array(entity), (marks, entities) => {
      const index = markIndex(marks)
      for (const one of [...entities, ...marks]) {
        const mark = index.over(one)
        expect(mark !== null, JSON.stringify(one)).toBe(marks.some((m) => isCoveredBy(one, m)))
        if (mark === null) continue
        found++
        expect(isCoveredBy(one, mark)).toBe(true)
      }
    }),
  )
  expect(found).toBeGreaterThan(100)
})

test('what lies under what is under a mark lies under the mark', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(network, domain), { minLength: 3, maxLength: 9 }), entity, (marks, one) => {
      for (const a of marks)
        for (const b of marks)
          if (isCoveredBy(one, a) && isCoveredBy(a, b) && !(one.type === b.type && one.value === b.value))
            expect(isCoveredBy(one, b)).toBe(true)
    }),
  )
})
