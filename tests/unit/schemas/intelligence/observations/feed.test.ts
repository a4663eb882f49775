import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { feedFault, feedProvenance } from '../../../../../schemas/intelligence/observations/feed.ts'
import { records } from '../../../../../schemas/log/records.ts'

const registration = { name: 'ipsum', trust: 0.7, groups: ['public'] }
const cases = [
  ['a plain registration', {}, null],
  ['full trust', { trust: 1 }, null],
  ['a name with capitals', { name: 'Ipsum' }, 'feed name "Ipsum"'],
  ['no name', { name: '' }, 'feed name ""'],
  ['a name that begins with a sign', { name: '-a' }, 'feed name "-a"'],
  ['no trust', { trust: 0 }, 'trust 0'],
  ['too much trust', { trust: 1.01 }, 'trust 1.01'],
  ['trust that is no number', { trust: Number.NaN }, 'trust NaN'],
  ['nobody who may read', { groups: [] }, 'at least one group'],
  ['an owner', { owner: 'customer:00000000-0000-4000-8000-00000000000a' }, null],
  ['nobody as owner', { owner: null }, null],
  ['an owner without a kind', { owner: '00000000-0000-4000-8000-00000000000a' }, 'owner "0000'],
  ['an owner in capitals', { owner: 'user:00000000-0000-4000-8000-00000000000A' }, 'owner "user:'],
  ['no owner', { owner: '' }, 'owner ""'],
] as const
for (const [name, change, want] of cases) {
  test(`${name} is ${want === null ? 'accepted' : 'refused'}`, () => {
    const fault = feedFault({
      ...registration,
      ...change,
      groups: [...((change as { groups?: string[] }).groups ?? ['public'])],
    })
    if (want === null) expect(fault).toBeNull()
    else expect(fault).toContain(want)
  })
}

test('a feed is a source of its own', () => {
  expect(feedProvenance(registration, 'report', ['a'], 5)).toEqual({
    userId: 'feed:ipsum',
    source: 'feed:ipsum',
    sourceKind: 'feed',
    trust: 0.7,
    kind: 'report',
    audience: ['a'],
    observedAt: 5,
  })
})

test('the page for producers has every field of the schema that they write', () => {
  const page = readFileSync('docs/integrate/producers.md', 'utf8')
  const { fields } = records.submission as unknown as { fields: { name: string }[] }
  expect(fields.map(({ name }) => name).filter((name) => !page.includes(`| \`${name}\` |`))).toEqual([])
})
