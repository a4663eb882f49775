import { expect, test } from 'vitest'
import { bodyOf, type Draft, newDraft, sizeOf, withType } from '../../../../../../console/src/pages/report/draft.ts'
import { faultAt } from '../../../../../../console/src/pages/report/faults.ts'

const NO_CLAIM = { reputation: null, tags: [], visibleBy: [], correlate: [] }
const draft = (type: string, value: string, given: Partial<Draft> = {}): Draft => ({
  ...newDraft(type, value),
  ...given,
})

test('a draft is sent without what is empty, and with its main value even then', () => {
  expect(bodyOf(draft('ip', ''), NO_CLAIM)).toEqual({ type: 'ip', attributes: { ip: '' } })
  const values = { link: ' ', domain: ' evil.example ', 'whois-registrar': 'ACME' }
  expect(bodyOf(draft('domain', '', { values }), { ...NO_CLAIM, reputation: 0, tags: ['a'] })).toEqual({
    type: 'domain',
    attributes: { domain: 'evil.example', 'whois-registrar': 'ACME' },
    reputation: 0,
    tags: ['a'],
  })
})

test('associations keep their places and modes, at every depth', () => {
  const deep = draft('url', 'http://a.example/', { mode: 'aggregation' })
  const below = draft('domain', 'a.example', { associations: [draft('ip', ''), deep] })
  const root = draft('malware', 'mirai', { associations: [below] })
  expect(sizeOf(root)).toBe(4)
  expect(bodyOf(root, NO_CLAIM).associations).toEqual([
    {
      mode: 'association',
      type: 'domain',
      attributes: { domain: 'a.example' },
      associations: [
        { mode: 'association', type: 'ip', attributes: { ip: '' } },
        { mode: 'aggregation', type: 'url', attributes: { url: 'http://a.example/' } },
      ],
    },
  ])
})

test('only attributes that are sent become entities', () => {
  const claim = { ...NO_CLAIM, correlate: ['link', 'cidr', 'ip'] }
  const root = draft('ip', '', { values: { ip: '198.51.100.1', cidr: '198.51.100.0/24', link: '' } })
  expect(bodyOf(root, claim).correlate).toEqual(['cidr'])
})

test('another type takes the main value along, unless it has one', () => {
  expect(withType(draft('domain', 'a.example'), 'hostname').values).toEqual({ hostname: 'a.example' })
  const both = draft('domain', '', { values: { domain: 'a.example', hostname: 'b.example' }, more: ['hostname'] })
  expect(withType(both, 'hostname')).toMatchObject({ values: { hostname: 'b.example' }, more: [] })
})

const faults: [param: string | null, message: string, at: string, said: string | undefined][] = [
  ['attributes.ip', 'attributes.ip is not an address', 'attributes.ip', 'is not an address'],
  ['attributes.ip', 'attributes.ip is not an address', 'associations[0].attributes.ip', undefined],
  ['associations[0].type', 'associations[0].type "x" is no type', 'associations[0].type', '"x" is no type'],
  ['tags[3]', 'tags[3] is too long', 'tags', 'tags[3] is too long'],
  ['associations[1].attributes.ip', 'wrong', 'associations', undefined],
  ['visibleBy', 'visibleBy: not yours', 'visibleBy', 'visibleBy: not yours'],
  [null, 'wrong', 'type', undefined],
]
for (const [param, message, at, said] of faults)
  test(`what is wrong with ${param} is said at ${at}: ${said}`, () =>
    expect(faultAt({ param, message }, at)).toBe(said))
