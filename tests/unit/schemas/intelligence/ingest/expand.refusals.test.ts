import { describe, expect, test } from 'vitest'
import { MAX_LEVELS } from '../../../../../schemas/intelligence/ingest/expand.ts'
import { MAX_TAGS } from '../../../../../schemas/intelligence/ingest/tags.ts'
import type { LinkMode, SubmittedEntity } from '../../../../../schemas/intelligence/observations/observation.ts'
import { chain, domain, ip, refusal } from '../../../../builders/intelligence/submission.ts'

const attributes = (json: string) => JSON.parse(json) as SubmittedEntity['attributes']
const thousand = Array.from({ length: 1_000 }, (_, i) => domain(`n${i}.com`))

const refused: readonly { name: string; given: SubmittedEntity; param: string; says: RegExp }[] = [
  {
    name: 'an unknown type',
    given: { type: 'ipv4', attributes: { ipv4: '8.8.8.8' } },
    param: 'type',
    says: /"?ipv4"? is not an entity type/,
  },
  {
    name: 'a missing main attribute',
    given: ip({ attributes: { text: 'x' } }),
    param: 'attributes.ip',
    says: /ip is missing; it is the main attribute/,
  },
  { name: 'no attributes at all', given: ip({ attributes: {} }), param: 'attributes.ip', says: /missing/ },
  {
    name: 'an unknown attribute',
    given: ip({ attributes: { ip: '8.8.8.8', colour: 'x' } }),
    param: 'attributes.colour',
    says: /not an attribute/,
  },
  {
    name: '__proto__ as an attribute',
    given: ip({ attributes: attributes('{"ip":"8.8.8.8","__proto__":"x"}') }),
    param: 'attributes.__proto__',
    says: /not an attribute/,
  },
  {
    name: 'constructor as an attribute',
    given: ip({ attributes: { ip: '8.8.8.8', constructor: 'x' } as never }),
    param: 'attributes.constructor',
    says: /not an attribute/,
  },
  {
    name: 'a bad main value',
    given: ip({ attributes: { ip: '10.0.0.1' } }),
    param: 'attributes.ip',
    says: /publicly routable.*private/,
  },
  {
    name: 'a bad attribute',
    given: ip({ attributes: { ip: '8.8.8.8', port: 443 } }),
    param: 'attributes.port',
    says: /443\/tcp/,
  },
  {
    name: 'a bad attribute below',
    given: ip({ associations: [domain('a.com', { attributes: { domain: 'a.com', port: 'x' } })] }),
    param: 'associations[0].attributes.port',
    says: /^associations\[0\]\.attributes\.port must be a port/,
  },
  {
    name: 'a missing main attribute below',
    given: ip({
      associations: [domain('a.com', { associations: [domain('b.com'), domain('x', { attributes: { text: 'x' } })] })],
    }),
    param: 'associations[0].associations[1].attributes.domain',
    says: /missing/,
  },
  {
    name: 'an unknown type below',
    given: ip({ associations: [domain('a.com', { type: 'host' })] }),
    param: 'associations[0].type',
    says: /not an entity type/,
  },
  {
    name: 'an unknown mode',
    given: ip({ associations: [domain('a.com', { mode: 'parent' as LinkMode })] }),
    param: 'associations[0].mode',
    says: /aggregation or association/,
  },
  {
    name: 'what is no relationship type',
    given: ip({ associations: [domain('a.com', { associations: [domain('b.com', { relationship: 'Uses' })] })] }),
    param: 'associations[0].associations[0].relationship',
    says: /^associations\[0\]\.associations\[0\]\.relationship must be 1 to 100 lower-case/,
  },
  {
    name: 'correlation of what is no attribute here',
    given: ip({ correlate: ['port'] }),
    param: 'correlate[0]',
    says: /port is not an attribute of this entity/,
  },
  {
    name: 'correlation of an inherited name',
    given: ip({ correlate: ['toString'] }),
    param: 'correlate[0]',
    says: /not an attribute/,
  },
  { name: 'a reputation out of range', given: ip({ reputation: 4 }), param: 'reputation', says: /-3\.\.3/ },
  { name: 'a fraction of a reputation', given: ip({ reputation: 0.5 }), param: 'reputation', says: /integer/ },
  { name: 'a blank tag', given: ip({ tags: ['a', ' '] }), param: 'tags[1]', says: /blank/ },
  { name: 'a tag without end', given: ip({ tags: ['x'.repeat(257)] }), param: 'tags[0]', says: /256 bytes/ },
  { name: 'half a character in a tag', given: ip({ tags: ['\ud800'] }), param: 'tags[0]', says: /Unicode/ },
  {
    name: 'too many tags',
    given: ip({ tags: Array.from({ length: MAX_TAGS + 1 }, (_, i) => `t${i}`) }),
    param: 'tags',
    says: /at most 100/,
  },
  {
    name: 'an eleventh level',
    given: ip({ associations: chain(MAX_LEVELS + 1) }),
    param: `${'associations[0].'.repeat(10)}associations`,
    says: /10 levels/,
  },
  {
    name: 'a thousand and one entities',
    given: ip({ associations: thousand }),
    param: 'associations',
    says: /1000 entities/,
  },
  {
    name: 'a thousand and one entities, most of them repetitions',
    given: ip({ associations: Array(1_000).fill(domain('a.com')) }),
    param: 'associations',
    says: /1000 entities/,
  },
]
describe('a submission is refused for', () => {
  for (const { name, given, param, says } of refused)
    test(name, () => {
      const fault = refusal(given)
      expect(fault).toEqual({ ok: false, kind: 'invalid', param, message: expect.stringMatching(says) })
    })
  test('an attribute name without end, which the message shortens', () => {
    const fault = refusal(ip({ attributes: { ['\ud800\n'.repeat(50_000)]: 'x' } }))
    expect(fault.message.length).toBeLessThan(200)
    expect(fault.message.isWellFormed() && !/\p{Cc}/u.test(fault.message)).toBe(true)
  })
})
