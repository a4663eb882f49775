import { expect, test } from 'vitest'
import { collect, summary } from '../../../../builders/feeds/collect-feed.ts'

const list = (type: string, entries: unknown[], rest: object = {}) =>
  collect(JSON.stringify({ name: 'Popular', description: 'd', type, list: entries, ...rest }), {
    format: 'warninglist',
  })

test('entries become well-known entities without a reputation, with the name of their list', async () => {
  expect(await list('string', ['example.com'])).toEqual([
    {
      line: 1,
      wellKnown: true,
      entity: { type: 'domain', attributes: { category: 'Popular', domain: 'example.com' } },
    },
  ])
})

const cases = [
  {
    type: 'hostname',
    entries: ['.example.com', '*.cdn.example.com'],
    want: ['1: domain example.com', '2: hostname cdn.example.com'],
  },
  {
    type: 'cidr',
    entries: ['8.8.8.8', '8.8.4.4/32', '8.8.0.0/16'],
    want: ['1: ip 8.8.8.8', '2: ip 8.8.4.4', '3: cidr 8.8.0.0/16'],
  },
  { type: 'regex', entries: ['/evil/'], want: ['1: a regex list holds patterns, not values'] },
  { type: 'substring', entries: ['.local'], want: ['1: a substring list holds patterns, not values'] },
  {
    type: 'string',
    entries: ['com', null, {}, 'a@b.example'],
    want: [
      '1: not an indicator of a known kind',
      '2: not an indicator of a known kind',
      '3: not an indicator of a known kind',
      '4: email-address a@b.example',
    ],
  },
]
for (const { type, entries, want } of cases) {
  test(`a ${type} list of ${JSON.stringify(entries)}`, async () =>
    expect(summary(await list(type, entries))).toEqual(want))
}

test('another document is refused', async () => {
  await expect(collect('{"Event": {}}', { format: 'warninglist' })).rejects.toThrow('not a warning list')
  await expect(collect('[]', { format: 'warninglist' })).rejects.toThrow('not a warning list')
})

test('a document that is no JSON is refused', async () => {
  await expect(collect('{"list": [', { format: 'warninglist' })).rejects.toThrow(SyntaxError)
})
