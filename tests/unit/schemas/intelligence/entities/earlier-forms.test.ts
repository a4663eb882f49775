import fc from 'fast-check'
import { expect, test } from 'vitest'
import { faultOf } from '../../../../../pipelines/processors/intelligence/validate.ts'
import { readWatchItem } from '../../../../../schemas/casework/watch.ts'
import { valueForms } from '../../../../../schemas/intelligence/compare/forms.ts'
import { earlierForm, entityIds, isStoredForm } from '../../../../../schemas/intelligence/entities/earlier-forms.ts'
import { entityId } from '../../../../../schemas/intelligence/entities/id.ts'
import { entityOf } from '../../../../../schemas/intelligence/entities/named.ts'
import { normalise } from '../../../../../schemas/intelligence/entities/normalise.ts'
import { expand } from '../../../../../schemas/intelligence/ingest/expand.ts'
import { lookupForms } from '../../../../../schemas/intelligence/ingest/lookup-forms.ts'
import { searchForms } from '../../../../../schemas/intelligence/ingest/search-forms.ts'
import { feedProvenance } from '../../../../../schemas/intelligence/observations/feed.ts'
import { subjectOf } from '../../../../../schemas/match/subject.ts'

const NOW = Date.UTC(2026, 0, 2)
const UUID = '00000000-0000-4000-8000-000000000000'
const reported = (type: string, attributes: Record<string, string>, kind: 'report' | 'well_known' = 'report') =>
  expand({ type, attributes }, feedProvenance({ name: 'f', trust: 1 }, kind, ['public'], NOW), {
    submissionId: UUID,
    nextId: () => UUID,
  })
const idOf = (...of: Parameters<typeof reported>) => {
  const found = reported(...of)
  return found.ok ? found.entityId : found.message
}

test.each([
  ['http://x.example', 'http://x.example/'],
  ['https://x.example:443?a=1', 'https://X.example/?a=1'],
  ['http://x.example#a', 'http://x.example:80/#a'],
])('%s and %s are one URL', (one, other) => {
  expect(idOf('url', { url: one })).toBe(idOf('url', { url: other }))
  const [first] = lookupForms(one).forms.filter(({ types }) => types.has('url'))
  expect(lookupForms(other).forms.map(({ value }) => value)).toContain(first!.value)
})

test.each([
  ['198.51.100.7/32', '198.51.100.7'],
  ['2001:DB8:0::1/128', '2001:db8::1'],
  ['::ffff:198.51.100.7/128', '198.51.100.7'],
])('the network %s is the address %s', (network, address) => {
  expect(idOf('cidr', { cidr: network })).toBe(entityId('ip', address))
  expect(idOf('cidr', { cidr: network, ip: address })).toBe(entityId('ip', address))
  expect(idOf('cidr', { cidr: network, ip: '203.0.113.9' })).toMatch(/^attributes.ip must be absent or/)
  expect(lookupForms(network).forms.map(({ value }) => value)).toContain(address)
  expect(searchForms(network)).toContain(address)
})

test('the mark of a network of one address is that of the address, and covers nothing else', () => {
  const found = reported('cidr', { cidr: '198.51.100.7/32' }, 'well_known')
  expect(found.ok && found.observations[0]).toMatchObject({ type: 'ip', kind: 'well_known', covers: false })
})

test('an associate and a correlated attribute that are one address are the address', () => {
  const found = expand(
    {
      type: 'domain',
      attributes: { domain: 'x.example', cidr: '198.51.100.7/32' },
      correlate: ['cidr'],
      associations: [{ mode: 'association', type: 'cidr', attributes: { cidr: '198.51.100.8/32' } }],
    },
    feedProvenance({ name: 'f', trust: 1 }, 'report', ['public'], NOW),
    { submissionId: UUID, nextId: () => UUID },
  )
  expect(found.ok && found.observations.map(({ type, value }) => `${type} ${value}`)).toEqual([
    'domain x.example',
    'ip 198.51.100.7',
    'ip 198.51.100.8',
  ])
})

/** A record that the log has since before, under the form of then. */
function before(type: string, value: string, attributes: Record<string, string> = {}) {
  const found = reported('domain', { domain: 'x.example' })
  if (!found.ok) throw new Error(found.message)
  return { ...found.observations[0]!, type, value, attributes, entityId: entityId(type, value) }
}

test.each(['http://x.example', 'http://x.example?a=1', 'http://a..example/', 'http://x.example:0/'])(
  'a record of before under %s is applied again by a replay',
  (value) => {
    expect(faultOf(before('url', value), NOW)).toBeNull()
    expect(faultOf(before('domain', 'x.example', { url: value }), NOW)).toBeNull()
    expect(isStoredForm('url', value)).toBe(true)
  },
)

test('a record of before of a network of one address is applied again', () => {
  expect(faultOf(before('cidr', '198.51.100.7/32'), NOW)).toBeNull()
  expect(faultOf(before('ip', '255.255.255.255'), NOW)).toBeNull()
})

test.each(['HTTP://x.example/', 'http://X.example', 'x.example', 'http://x.example:80/'])(
  'a record under %s never was in its normal form',
  (value) => {
    expect(faultOf(before('url', value), NOW)).toMatch(/^value /)
    expect(faultOf(before('domain', 'x.example', { url: value }), NOW)).toMatch(/^attribute url /)
  },
)

test('the broadcast address is nobody, and is not reported any more', () => {
  expect(idOf('ip', { ip: '255.255.255.255' })).toMatch(/broadcast/)
  expect(idOf('cidr', { cidr: '255.255.255.255/32' })).toMatch(/broadcast/)
})

test('what was reported before is found under its own id after that of now', () => {
  expect(entityIds('url', 'http://x.example/')).toEqual([
    entityId('url', 'http://x.example/'),
    entityId('url', 'http://x.example'),
  ])
  expect(entityIds('cidr', '198.51.100.7/32')).toEqual([
    entityId('ip', '198.51.100.7'),
    entityId('cidr', '198.51.100.7/32'),
  ])
  expect(entityIds('url', 'http://x.example/a')).toHaveLength(1)
  expect(entityIds('ip', '198.51.100.7')).toHaveLength(1)
})

test('the form of before leads to that of now, for every URL', () => {
  fc.assert(
    fc.property(fc.webUrl({ withQueryParameters: true, withFragments: true }), (raw) => {
      const now = normalise('url', raw)
      fc.pre(typeof now === 'string')
      const earlier = earlierForm('url', now)
      if (earlier === null) return
      expect(normalise('url', earlier)).toBe(now)
      expect(isStoredForm('url', earlier)).toBe(true)
    }),
  )
})

test('wider networks stay networks', () => {
  for (const value of ['198.51.100.6/31', '2001:db8::/32', '2001:db8::/127', '0.0.0.0/0'])
    expect(entityOf('cidr', value)).toEqual({ type: 'cidr', value })
})

test('selectors, watchlists and telemetry ask for both forms', () => {
  for (const given of ['http://x.example', 'http://X.example/'])
    expect([...valueForms(given)]).toEqual(expect.arrayContaining(['http://x.example', 'http://x.example/']))
  expect([...valueForms('198.51.100.7/32')]).toEqual(expect.arrayContaining(['198.51.100.7', '198.51.100.7/32']))
  const item = { kind: 'value', type: 'cidr', value: '198.51.100.7/32' }
  expect(readWatchItem(item)).toEqual({ ok: true, item: { kind: 'value', type: 'ip', value: '198.51.100.7' } })
  expect(
    subjectOf('url', 'http://x.example')
      ?.lookups.slice(0, 2)
      .map(({ value }) => value),
  ).toEqual(['http://x.example/', 'http://x.example'])
})
