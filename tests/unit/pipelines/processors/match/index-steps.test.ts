import { expect, test } from 'vitest'
import { type IndexStep, indexSteps } from '../../../../../pipelines/processors/match/index-steps.ts'
import { knownOwners, NOTHING, readingGroups } from '../../../../../pipelines/processors/match/known-owners.ts'
import { BUILT_IN } from '../../../../../schemas/intelligence/scoring/rules.ts'
import { viewChange } from '../../../../../schemas/intelligence/state/view-change.ts'
import { positioned, replayedChanges } from '../../../../builders/intelligence/changes.ts'
import { DAY, HOUR, NOW } from '../../../../builders/intelligence/observation.ts'

const rules = { dedupeWindow: HOUR, locate: () => ({ country: '', asn: 0, aso: '' }) }
const settings = (n: number, lte: number, groups = ['public']) => ({
  owner: `customer:${n}`,
  revision: 1,
  changedAt: 0,
  selector: { reputation: { lte }, wellKnown: false as const },
  groups,
  retentionDays: 30,
  sightings: null,
})
const retraction = { kind: 'retraction', retracted: { from: 0, to: NOW * 2, held: null, described: null } } as const

test('an entity enters and leaves by what its owner is shown, and not by time', () => {
  const owners = knownOwners()
  owners.put(settings(1, -1))
  owners.put(settings(2, -1))
  owners.put(settings(3, -3, ['public', 'red']))
  const steps: string[] = []
  const all = positioned([
    { reputation: -2 },
    { reputation: -3, observedAt: NOW + 2 * HOUR },
    { kind: 'tick', audience: [], reputation: null, observedAt: NOW + 900 * DAY },
    { reputation: -3, observedAt: NOW + 901 * DAY },
    { ...retraction, reputation: null },
    { reputation: -3, audience: ['red'], observedAt: NOW + 902 * DAY },
  ])
  for (const [n, change] of replayedChanges(all, rules).entries())
    for (const reader of owners.readers.classesOf(change.rows)) {
      const seen = viewChange(change, reader.reads, BUILT_IN)
      const tell = ({ does, owners: those, reason }: IndexStep) =>
        steps.push(`${n} ${does} ${those.map(({ owner }) => owner.slice(-1))} ${reason}`)
      if (seen !== null && seen !== 'wide') indexSteps(change, reader, seen, NOW, owners, tell)
    }
  expect(steps).toEqual([
    '0 enter 1,2 reported',
    '1 enter 3 reported',
    '3 enter 1,2 reported',
    '3 enter 3 reported',
    '4 leave 1,2 retracted',
    '4 leave 3 retracted',
    '5 enter 3 reported',
  ])
})

test('owners share selectors and readers, and the bound is that of the widest selector', () => {
  const owners = knownOwners()
  expect(owners.bound()).toBe(NOTHING)
  const [a, b] = [owners.put(settings(1, -1)), owners.put(settings(2, -1))]
  expect([a.selector === b.selector, a.reader === b.reader, owners.bound()]).toEqual([true, true, -1])
  const rows = [{ audience: ['public'] }]
  expect(owners.sharing(a.selector, a.reader, rows)).toEqual([a, b])
  const c = owners.put(settings(2, -2))
  expect(owners.sharing(a.selector, a.reader, rows)).toEqual([a])
  owners.remove('customer:1')
  owners.remove('customer:1')
  expect([owners.bound(), owners.size(), [...owners.selectors()].length]).toEqual([-2, 1, 1])
  expect(owners.get('customer:2')).toBe(c)
  owners.put({ ...settings(3, 0), selector: { wellKnown: 'any' } })
  expect(owners.bound()).toBe(3)
  expect([readingGroups(['blue']), readingGroups(['blue', 'public'])]).toEqual([
    ['public', 'blue'],
    ['blue', 'public'],
  ])
})
