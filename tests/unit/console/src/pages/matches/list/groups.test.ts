import { expect, test } from 'vitest'
import { byHost, byIndicator } from '../../../../../../../console/src/pages/matches/list/groups.ts'
import { eventMatch, summaryMatch } from '../../../../../../builders/console/matches.ts'

const other = { id: 'ip-1', type: 'ip', value: '203.0.113.7', reputation: -2, accuracy: 1, tags: [] }
const { host: _, ...nameless } = eventMatch().event
const matches = [
  eventMatch(),
  eventMatch({
    entity: other,
    event: { at: '2026-11-25T09:00:00.000Z', count: 3, lastAt: '2026-11-25T09:30:00.000Z' },
  }),
  { ...eventMatch(), event: nameless },
  eventMatch({ entity: other, withdrawnAt: '2026-11-25T12:00:00.000Z', event: { host: 'pc-8' } }),
]

test('matches by host have their sums, the first and the last event, and the number of indicators', () => {
  expect(byHost(matches)).toEqual([
    {
      host: 'pc-7',
      matches: 2,
      events: 4,
      indicators: 2,
      first: '2026-11-25T09:00:00.000Z',
      last: '2026-11-25T10:05:00.000Z',
    },
    expect.objectContaining({ host: null, matches: 1 }),
    expect.objectContaining({ host: 'pc-8', matches: 1 }),
  ])
})

test('matches by indicator have their hosts, and say when all of them were withdrawn', () => {
  const groups = byIndicator(matches)
  expect(groups.map(({ entity, hosts, withdrawn }) => [entity.id, hosts, withdrawn])).toEqual([
    ['domain-1', 1, false],
    ['ip-1', 2, false],
  ])
  expect(byIndicator([matches[3]!])[0]!.withdrawn).toBe(true)
})

test('a summary counts as the matches that it stands for', () => {
  expect(byIndicator([eventMatch({ entity: other }), summaryMatch()]).map(({ matches }) => matches)).toEqual([
    12_000, 1,
  ])
  expect(byHost([summaryMatch()])[0]).toMatchObject({ host: null, matches: 12_000 })
})
