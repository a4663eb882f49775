import { describe, expect, test } from 'vitest'
import type { ChangedView } from '../../../../schemas/intelligence/state/changed-view.ts'
import type { ChangeKind, ViewChange } from '../../../../schemas/intelligence/state/view-change.ts'
import { type FilterQuery, readFilter } from '../../../../schemas/live/filter.ts'

const view = (given: Partial<ChangedView> = {}): ChangedView => ({
  entityId: `ip-${'0'.repeat(64)}`,
  type: 'ip',
  value: '198.51.100.7',
  reputation: -2,
  accuracy: 2,
  wellKnown: false,
  covered: false,
  tags: ['botnet', 'scanner'],
  country: '',
  asn: 0,
  firstSeen: 1,
  lastSeen: 2,
  retracted: false,
  ...given,
})

const seen = (given: Partial<ViewChange> = {}): ViewChange => ({
  kinds: ['scored'],
  reason: 'reported',
  before: view({ reputation: -1 }),
  after: view(),
  links: [],
  linksAlone: false,
  ...given,
})

function told(query: FilterQuery, change: ViewChange, kinds: readonly ChangeKind[] = change.kinds) {
  const read = readFilter(query)
  if (!read.ok) throw new Error(read.message)
  return read.filter.told(kinds, change, 0)
}

describe('a filter of a stream', () => {
  test.each<[string, FilterQuery, ViewChange, boolean]>([
    ['nothing is asked for', {}, seen(), true],
    ['only times are others', {}, seen({ kinds: [] }), false],
    ['one of the kinds happened', { kinds: 'created,scored' }, seen({ kinds: ['scored', 'updated'] }), true],
    ['another kind happened', { kinds: 'created' }, seen(), false],
    ['it is of a type', { types: 'domain, ip' }, seen(), true],
    ['it is of another type', { types: 'domain' }, seen(), false],
    ['it has a tag, in whatever case it is asked for', { tags: 'miner,BotNet' }, seen(), true],
    ['it has none of the tags', { tags: 'miner' }, seen(), false],
    ['its reputation is at most that', { reputationAtMost: -2 }, seen(), true],
    ['its reputation is higher', { reputationAtMost: -3 }, seen(), false],
    [
      'all conditions hold but one',
      { kinds: 'scored', types: 'ip', tags: 'botnet', reputationAtMost: -3 },
      seen(),
      false,
    ],
  ])('decides when %s', (_, query, change, expected) => {
    expect(told(query, change)).toBe(expected ? null : undefined)
  })

  test('decides by the kinds that are told, not by relations that the reader knows', () => {
    expect(told({}, seen({ kinds: ['linked'] }), [])).toBeUndefined()
    expect(told({ kinds: 'linked' }, seen({ kinds: ['scored', 'linked'] }), ['scored'])).toBeUndefined()
  })

  test('with a selector tells entering, staying and leaving', () => {
    const query = { selector: '{"reputation":{"lte":-2}}' }
    const good = view({ reputation: 1 })
    expect(told(query, seen({ before: good }))).toBe(true)
    expect(told(query, seen({ before: view({ accuracy: 1 }) }))).toBe(true)
    expect(told(query, seen({ before: view(), after: good }))).toBe(false)
    expect(told(query, seen({ before: good, after: view({ reputation: 2 }) }))).toBeUndefined()
    expect(told(query, seen({ before: null, after: good, kinds: ['created'] }))).toBeUndefined()
    expect(told(query, seen({ before: null, kinds: ['created'] }))).toBe(true)
    expect(told(query, seen({ kinds: [] }))).toBeUndefined()
  })

  test('has one text for the same meaning, and another for another one', () => {
    const text = (query: FilterQuery): string => {
      const read = readFilter(query)
      return read.ok ? read.filter.text : read.message
    }
    expect(text({ kinds: 'scored,created', tags: ' B,a' })).toBe(text({ kinds: 'created,scored', tags: 'a,b' }))
    expect(text({ selector: '{"types":["ip"],"wellKnown":false}' })).toBe(text({ selector: '{ "types": ["ip"] }' }))
    const others: FilterQuery[] = [
      {},
      { kinds: 'scored' },
      { types: 'ip' },
      { tags: 'scored' },
      { reputationAtMost: 0 },
    ]
    const texts = [...others, { selector: '{}' }, { selector: '{"types":["ip"]}' }].map(text)
    expect(new Set(texts).size).toBe(texts.length)
  })

  test.each<[FilterQuery, string, RegExp]>([
    [{ kinds: 'seen' }, 'kinds', /some of created, scored/],
    [{ kinds: '' }, 'kinds', /empty entries/],
    [{ types: 'ip,,domain' }, 'types', /empty entries/],
    [{ types: 'address' }, 'types', /address is not an entity type/],
    [{ tags: 'x'.repeat(300) }, 'tags', /256 bytes/],
    [{ tags: Array.from({ length: 101 }, (_, i) => i).join(',') }, 'tags', /at most 100/],
    [{ selector: '{' }, 'selector', /JSON/],
    [{ selector: '[]' }, 'selector', /object/],
    [{ selector: '{"reputation":{}}' }, 'selector.reputation', /must not be empty/],
    [{ selector: '{"seenWithin":"7d"}' }, 'selector.seenWithin', /passing time/],
    [{ selector: '{}', kinds: 'scored' }, 'kinds', /combined with selector/],
    [{ selector: '{}', reputationAtMost: 0 }, 'reputationAtMost', /combined with selector/],
  ])('refuses %j and names what is wrong', (query, param, message) => {
    const read = readFilter(query)
    expect(read).toMatchObject({ ok: false, param })
    expect(read.ok ? '' : read.message).toMatch(message)
  })
})
