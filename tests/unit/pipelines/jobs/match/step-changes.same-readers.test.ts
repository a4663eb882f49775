import { expect, test } from 'vitest'
import { sameReaders } from '../../../../../pipelines/jobs/match/step-changes.ts'
import { knownOwners } from '../../../../../pipelines/processors/match/known-owners.ts'
import { DEFAULT_SELECTOR } from '../../../../../schemas/match/settings.ts'

const settings = (n: number, groups: string[]) => ({
  owner: `customer:${n}`,
  revision: 1,
  changedAt: 0,
  selector: DEFAULT_SELECTOR,
  groups,
  retentionDays: 30,
  sightings: null,
})

test('owners are told apart by the rows that are stored, and stay one list where they read the same', () => {
  const owners = knownOwners()
  const [a, b, c] = [['blue'], ['red'], ['red', 'blue']].map((groups, n) => owners.put(settings(n, groups)))
  const rows: Record<string, string[][]> = { public: [['public']], blue: [['public'], ['blue']], gone: [] }
  const alike = sameReaders({ audiencesOf: (id) => rows[id]! })
  const all = [a!, b!, c!]
  expect(alike(all, 'public')).toEqual([all])
  expect(alike(all, 'public')[0]).toBe(all)
  expect(alike(all, 'gone')[0]).toBe(all)
  const apart = alike(all, 'blue')
  expect(apart.map((those) => those.map(({ owner }) => owner))).toEqual([['customer:0', 'customer:2'], ['customer:1']])
  expect(alike(all, 'blue')[0]).toBe(apart[0])
})
