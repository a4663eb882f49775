import { describe, expect, test } from 'vitest'
import { entityId } from '../../../../../schemas/intelligence/entities/id.ts'
import { askedOf } from '../../../../../schemas/intelligence/reputation/asked.ts'
import {
  decides,
  entityAbove,
  ownEntity,
  verdictOf,
} from '../../../../../schemas/intelligence/reputation/who-decides.ts'
import type { PresentView } from '../../../../../schemas/intelligence/state/present.ts'

const view = (type: string, value: string, given: Partial<PresentView> = {}): PresentView => ({
  entityId: entityId(type, value),
  type,
  value,
  reputation: 0,
  accuracy: 0,
  best: 0,
  worst: 0,
  attributes: {},
  country: '',
  asn: 0,
  aso: '',
  wellKnown: false,
  covered: false,
  covers: false,
  tags: [],
  firstSeen: 0,
  lastSeen: 1_000,
  ...given,
})
const among = (...views: PresentView[]) => Map.groupBy(views, ({ value }) => value)

/** The answer for a value among these entities; all networks are around it, in this order. */
function answered(value: string, ...views: PresentView[]) {
  const asked = askedOf(value)
  const known = among(...views)
  const own = ownEntity(asked, known)
  const networks =
    asked.above.within === null ? [] : views.flatMap(({ type, value: of }) => (type === 'cidr' ? [of] : []))
  const above = own !== null && decides(own) ? null : entityAbove(asked, networks, known)
  return verdictOf(asked, own, above)
}
const by = (type: string, value: string) => ({ id: entityId(type, value), type, value })

describe('the entity of exactly the value', () => {
  test('decides by its reputation, a mark, or what covers it', () => {
    const network = view('cidr', '203.0.113.0/24', { reputation: -3, tags: ['net'] })
    for (const own of [{ reputation: -1 }, { reputation: 2 }, { wellKnown: true }, { covered: true }])
      expect(answered('203.0.113.9', view('ip', '203.0.113.9', own), network)).not.toHaveProperty('by')
  })

  test('that says nothing leaves it to what is above, and stays what is known', () => {
    const own = view('ip', '203.0.113.9', { accuracy: 1, tags: ['own'], firstSeen: 5_000, lastSeen: 6_000 })
    const network = view('cidr', '203.0.113.0/24', { reputation: -2, accuracy: 3, tags: ['net'], wellKnown: true })
    expect(answered('203[.]0[.]113[.]9', own, network)).toEqual({
      value: '203[.]0[.]113[.]9',
      known: true,
      type: 'ip',
      id: own.entityId,
      reputation: -2,
      accuracy: 3,
      tags: ['net'],
      wellKnown: true,
      firstSeen: '1970-01-01T00:00:05.000Z',
      lastSeen: '1970-01-01T00:00:06.000Z',
      by: by('cidr', '203.0.113.0/24'),
    })
  })

  test('is shown as it is where nothing above decides', () => {
    const own = view('ip', '203.0.113.9', { accuracy: 2, tags: ['own'] })
    const network = view('cidr', '203.0.113.0/24', { accuracy: 3, tags: ['net'] })
    expect(answered('203.0.113.9', own, network)).toMatchObject({
      known: true,
      reputation: 0,
      accuracy: 2,
      tags: ['own'],
    })
    expect(answered('203.0.113.9', own, network)).not.toHaveProperty('by')
  })

  test('of the own form comes before a free text, whatever that says', () => {
    const text = (given: Partial<PresentView>) => view('password', '8.8.8.8', given)
    expect(answered('8.8.8.8', text({ reputation: -3 }), view('ip', '8.8.8.8'))).toMatchObject({
      type: 'ip',
      reputation: 0,
    })
    expect(answered('8.8.8.8', text({ reputation: -3 }))).toMatchObject({
      known: true,
      type: 'password',
      reputation: -3,
    })
  })

  test('a free text that decides keeps what is above the form from deciding', () => {
    const text = view('password', '203.0.113.9', { reputation: -1 })
    const network = view('cidr', '203.0.113.0/24', { reputation: -3 })
    expect(answered('203.0.113.9', text, network)).toMatchObject({ type: 'password', reputation: -1 })
  })

  test('of several is one that decides, then the worst, the surest, and the smallest id', () => {
    const name = (type: string, given: Partial<PresentView>) => view(type, 'evil.example', given)
    const shownOf = (...views: PresentView[]) => {
      for (const order of [views, views.toReversed()]) {
        const { type, reputation, accuracy } = answered('evil.example', ...order)
        if (order !== views) return { type, reputation, accuracy }
      }
      return null
    }
    const [domain, hostname] = ['domain', 'hostname']
    expect(shownOf(name(domain, {}), name(hostname, { reputation: 3 }))?.type).toBe(hostname)
    expect(shownOf(name(domain, { accuracy: 3 }), name(hostname, { wellKnown: true }))?.type).toBe(hostname)
    expect(shownOf(name(domain, { reputation: 3 }), name(hostname, { reputation: -1 }))?.type).toBe(hostname)
    expect(shownOf(name(domain, { reputation: -1 }), name(hostname, { wellKnown: true }))?.type).toBe(domain)
    expect(
      shownOf(name(domain, { reputation: -2, accuracy: 1 }), name(hostname, { reputation: -2, accuracy: 2 }))?.type,
    ).toBe(hostname)
    expect(shownOf(name(domain, { reputation: -2 }), name(hostname, { reputation: -2 }))?.type).toBe(domain)
  })
})

describe('above', () => {
  test('the narrowest network that says something decides, however many there are', () => {
    const networks = Array.from({ length: 24 }, (_, i) => view('cidr', `203.0.${i === 0 ? 113 : 0}.0/${32 - i - 1}`))
    const bad = view('cidr', '200.0.0.0/6', { reputation: -1 })
    expect(answered('203.0.113.9', ...networks, bad).by).toEqual(by('cidr', '200.0.0.0/6'))
    const near = view('cidr', '203.0.113.0/24', { reputation: 1 })
    expect(answered('203.0.113.9', near, ...networks, bad)).toMatchObject({ reputation: 1, by: by('cidr', near.value) })
  })

  test('of a name the nearest parent decides, of several of one name the worst', () => {
    const far = view('domain', 'evil.example', { reputation: -3 })
    const near = view('domain', 'b.evil.example', { reputation: 2 })
    expect(answered('a.b.evil.example', far, near).by).toEqual(by('domain', 'b.evil.example'))
    expect(answered('a.b.evil.example', far, view('domain', 'b.evil.example')).by).toEqual(by('domain', 'evil.example'))
    const host = view('hostname', 'b.evil.example', { reputation: -1 })
    expect(answered('a.b.evil.example', near, host).by).toEqual(by('hostname', 'b.evil.example'))
  })

  test('a mark that covers the value decides, another mark does not', () => {
    const covering = (type: string, value: string) =>
      view(type, value, { wellKnown: true, covers: true, tags: ['ours'] })
    const marked = (type: string, value: string) => view(type, value, { wellKnown: true })
    expect(answered('203.0.113.9', covering('cidr', '203.0.113.0/24'))).toMatchObject({
      wellKnown: true,
      reputation: 0,
      tags: ['ours'],
      by: by('cidr', '203.0.113.0/24'),
    })
    expect(answered('203.0.113.9', marked('cidr', '203.0.113.0/24'))).not.toHaveProperty('by')
    expect(answered('a.evil.example', covering('domain', 'evil.example')).by).toEqual(by('domain', 'evil.example'))
    expect(answered('a.evil.example', marked('domain', 'evil.example'))).not.toHaveProperty('by')
    // A mark on a hostname covers nothing, whatever it says (ADR 270).
    expect(answered('a.b.evil.example', covering('hostname', 'b.evil.example'))).not.toHaveProperty('by')
    expect(answered('http://evil.example/x', covering('domain', 'evil.example')).by).toEqual(
      by('domain', 'evil.example'),
    )
  })

  test('stand addresses, networks and names alone', () => {
    const others = [
      view('url', 'http://evil.example/', { reputation: -3 }),
      view('email-address', 'evil.example', { reputation: -3 }),
      view('password', 'evil.example', { reputation: -3 }),
    ]
    expect(answered('a.evil.example', ...others)).not.toHaveProperty('by')
    expect(answered('http://evil.example/x', ...others)).not.toHaveProperty('by')
  })

  test('the host of a URL decides before what is above it', () => {
    const address = view('ip', '198.51.100.77', { reputation: 2 })
    const network = view('cidr', '198.51.100.0/24', { reputation: -3 })
    expect(answered('http://198.51.100.77:8080/x', address, network).by).toEqual(by('ip', '198.51.100.77'))
    expect(answered('http://198.51.100.77:8080/x', view('ip', '198.51.100.77'), network).by).toEqual(
      by('cidr', network.value),
    )
  })

  test.each([
    'user.github.io',
    'x.co.uk',
    'x.blogspot.com',
    'bucket.s3.amazonaws.com',
    'x.other.ck',
    'x.ward.kawasaki.jp',
  ])('nothing stands for %s, for whom a suffix would decide', (value) => {
    const suffix = value.slice(value.indexOf('.') + 1)
    const views = [view('domain', suffix, { reputation: -3 }), view('hostname', suffix, { reputation: -3 })]
    for (const asked of [value, `http://${suffix}/`, `x@${suffix}`])
      expect(answered(asked, ...views)).toMatchObject({ known: false, reputation: 0 })
    expect(answered(suffix, ...views)).toMatchObject({ known: true, reputation: -3 })
  })

  test('a name that the list of suffixes excepts decides for what is below it', () => {
    for (const name of ['www.ck', 'city.kawasaki.jp', 'x.city.kawasaki.jp', 'mallory.github.io'])
      expect(answered(`a.b.${name}`, view('domain', name, { reputation: -2 })).by).toEqual(by('domain', name))
  })
})

describe('an answer of nothing', () => {
  test('has neither type nor id, and no times', () => {
    expect(answered('198.51.100.1')).toEqual({
      value: '198.51.100.1',
      known: false,
      reputation: 0,
      accuracy: 0,
      tags: [],
      wellKnown: false,
    })
  })

  test('says of a text without the form of an indicator that it has none, unless it is known', () => {
    expect(answered('just some words')).toMatchObject({ known: false, notIndicator: true })
    expect(answered('just some words', view('password', 'just some words'))).not.toHaveProperty('notIndicator')
  })

  test('says of an address that is not public that it is none, and inherits nothing', () => {
    const network = view('cidr', '10.0.0.0/8', { reputation: -1 })
    expect(answered('10.0.0.1', network)).toEqual({
      value: '10.0.0.1',
      known: false,
      reputation: 0,
      accuracy: 0,
      tags: [],
      wellKnown: false,
      notPublic: true,
    })
    expect(answered('10.0.0.1', view('password', '10.0.0.1', { reputation: -3 }), network)).toMatchObject({
      known: true,
      reputation: -3,
      notPublic: true,
    })
    expect(answered('http://10.0.0.1/x', network)).toMatchObject({ known: false, reputation: 0 })
  })
})
