import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readSelector } from '../../../../../schemas/intelligence/selectors/read.ts'
import { selectorBodies } from '../../../../builders/intelligence/selectors/generated.ts'
import { selectorOf } from '../../../../builders/intelligence/selectors/view.ts'

const param = (body: unknown): string => {
  const read = readSelector(body)
  return read.ok ? 'nothing' : read.param
}
const many = <T>(n: number, of: (i: number) => T): T[] => Array.from({ length: n }, (_, i) => of(i))

describe('what a selector is read as', () => {
  test.each<[string, unknown, unknown]>([
    ['everything that is not well known', {}, { wellKnown: false }],
    ['tags in lower case, each once', { tags: { any: [' APT ', 'apt'] } }, { tags: { any: ['apt'] } }],
    ['one network as a list', { cidr: '198.51.100.7/24' }, { cidr: ['198.51.100.0/24'] }],
    ['any network', { cidr: ['10.1.2.3/8', '0.0.0.0/0', '::/0'] }, { cidr: ['10.0.0.0/8', '0.0.0.0/0', '::/0'] }],
    ['mapped addresses as IPv4', { cidr: '::ffff:198.51.100.9/120' }, { cidr: ['198.51.100.0/24'] }],
    ['IPv6 as RFC 5952', { cidr: '2001:DB8:0:0:1::7/64' }, { cidr: ['2001:db8::/64'] }],
    ['numbers of autonomous systems', { asn: [15169, 'AS15169', '64500', 'as1'] }, { asn: [15169, 64500, 1] }],
    ['countries by any name', { country: ['FR', 'Viet Nam'] }, { country: ['France', 'Vietnam'] }],
    ['a suffix as a name', { value: { suffix: ' Bücher.Example. ' } }, { value: { suffix: 'xn--bcher-kva.example' } }],
    ['a top-level domain', { value: { suffix: 'RU' } }, { value: { suffix: 'ru' } }],
    ['values trimmed', { value: { in: [' A ', 'A'] } }, { value: { in: ['A'] } }],
    ['equal bounds', { reputation: { gte: -1, lte: -1 } }, { reputation: { gte: -1, lte: -1 } }],
    ['the shortest and the longest time', { seenWithin: '3650d' }, { seenWithin: '3650d' }],
  ])('%s', (_, body, selector) => {
    expect(readSelector(body)).toEqual({ ok: true, selector: { wellKnown: false, ...(selector as object) } })
  })

  test('a selector that was read reads as itself', () => {
    fc.assert(
      fc.property(selectorBodies, (body) => {
        const selector = selectorOf(body)
        expect(selectorOf(JSON.parse(JSON.stringify(selector)))).toEqual(selector)
      }),
    )
  })
})

describe('what is refused, by its name', () => {
  test.each<[unknown, string]>([
    [null, 'selector'],
    [[], 'selector'],
    ['{}', 'selector'],
    [{ tag: 'apt' }, 'selector.tag'],
    [JSON.parse('{"__proto__": {}}'), 'selector.__proto__'],
    [{ constructor: {} }, 'selector.constructor'],
    [{ types: [] }, 'selector.types'],
    [{ types: 'ip' }, 'selector.types'],
    [{ types: ['ip', 'IP'] }, 'selector.types[1]'],
    [{ types: many(51, () => 'ip') }, 'selector.types'],
    [{ reputation: {} }, 'selector.reputation'],
    [{ reputation: -3 }, 'selector.reputation'],
    [{ reputation: { gt: 1 } }, 'selector.reputation.gt'],
    [{ reputation: { gte: -4 } }, 'selector.reputation.gte'],
    [{ reputation: { lte: '-1' } }, 'selector.reputation.lte'],
    [{ reputation: { lte: 0.5 } }, 'selector.reputation.lte'],
    [{ reputation: { gte: 1, lte: 0 } }, 'selector.reputation'],
    [{ accuracy: { gte: -1 } }, 'selector.accuracy.gte'],
    [{ accuracy: { lte: 4 } }, 'selector.accuracy.lte'],
    [{ tags: {} }, 'selector.tags'],
    [{ tags: ['apt'] }, 'selector.tags'],
    [{ tags: { any: [] } }, 'selector.tags.any'],
    [{ tags: { any: 'apt' } }, 'selector.tags.any'],
    [{ tags: { any: ['apt', ' '] } }, 'selector.tags.any[1]'],
    [{ tags: { none: [7] } }, 'selector.tags.none[0]'],
    [{ tags: { all: ['x'.repeat(257)] } }, 'selector.tags.all[0]'],
    [{ tags: { all: ['a', 'B'], none: ['b'] } }, 'selector.tags.all'],
    [{ tags: { any: ['a'], none: ['a'] } }, 'selector.tags.any'],
    [{ value: {} }, 'selector.value'],
    [{ value: 'x' }, 'selector.value'],
    [{ value: { in: [] } }, 'selector.value.in'],
    [{ value: { in: [''] } }, 'selector.value.in[0]'],
    [{ value: { in: [1] } }, 'selector.value.in[0]'],
    [{ value: { in: ['\ud800'] } }, 'selector.value.in[0]'],
    [{ value: { in: ['x'.repeat(65_537)] } }, 'selector.value.in[0]'],
    [{ value: { in: many(10_001, String) } }, 'selector.value.in'],
    [{ value: { prefix: ' ' } }, 'selector.value.prefix'],
    [{ value: { suffix: '.example.com' } }, 'selector.value.suffix'],
    [{ value: { suffix: '*.example.com' } }, 'selector.value.suffix'],
    [{ value: { suffix: '198.51.100.1' } }, 'selector.value.suffix'],
    [{ value: { equals: 'x' } }, 'selector.value.equals'],
    [{ cidr: [] }, 'selector.cidr'],
    [{ cidr: '198.51.100.1' }, 'selector.cidr'],
    [{ cidr: ['198.51.100.0/24', '198.51.100.0/33'] }, 'selector.cidr[1]'],
    [{ cidr: '2001:db8::/129' }, 'selector.cidr'],
    [{ cidr: '010.0.0.0/8' }, 'selector.cidr'],
    [{ cidr: many(51, () => '198.51.100.0/24') }, 'selector.cidr'],
    [{ country: 'Atlantis' }, 'selector.country'],
    [{ country: ['France', ''] }, 'selector.country[1]'],
    [{ asn: 0 }, 'selector.asn'],
    [{ asn: 4_294_967_296 }, 'selector.asn'],
    [{ asn: 1.5 }, 'selector.asn'],
    [{ asn: ['AS1', 'ASx'] }, 'selector.asn[1]'],
    [{ seenWithin: '59m' }, 'selector.seenWithin'],
    [{ seenWithin: '0h' }, 'selector.seenWithin'],
    [{ seenWithin: '3651d' }, 'selector.seenWithin'],
    [{ seenWithin: '87601h' }, 'selector.seenWithin'],
    [{ seenWithin: 24 }, 'selector.seenWithin'],
    [{ seenWithin: null }, 'selector.seenWithin'],
    [{ wellKnown: 'true' }, 'selector.wellKnown'],
    [{ wellKnown: null }, 'selector.wellKnown'],
  ])('%j', (body, wanted) => {
    expect(param(body)).toBe(wanted)
  })

  test('a selector inside a body has the name of its place there', () => {
    expect(readSelector({ asn: 0 }, 'items[3].value')).toMatchObject({ ok: false, param: 'items[3].value.asn' })
  })

  test('JSON of any kind is read or refused, and nothing is thrown', () => {
    const words = fc.constantFrom('types', 'value', 'in', 'tags', 'any', 'cidr', 'asn', 'country', 'gte', 'reputation')
    const json = fc.letrec((tie) => ({
      any: fc.oneof(
        { depthSize: 'small' },
        fc.jsonValue({ maxDepth: 1 }),
        fc.dictionary(words, tie('any'), { maxKeys: 4 }),
        fc.array(tie('any'), { maxLength: 4 }),
      ),
    })).any
    fc.assert(
      fc.property(json, (body) => {
        const read = readSelector(body)
        if (!read.ok) expect(read.param).toMatch(/^selector/)
      }),
      { numRuns: 500 },
    )
  })
})
