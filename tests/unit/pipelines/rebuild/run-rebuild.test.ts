import { expect, test } from 'vitest'
import { type Plan, sliceName, spansOf, tasksOf } from '../../../../pipelines/rebuild/plan.ts'
import { foldAll } from '../../../../pipelines/rebuild/run-rebuild.ts'

const plan: Plan = {
  version: 1,
  dedupeWindow: 0,
  rules: '',
  promoted: [],
  source: null,
  partial: false,
  spans: [
    { partition: 0, from: 0, to: 10, slices: 3 },
    { partition: 1, from: 0, to: 10, slices: 2 },
    { partition: 2, from: 5, to: 5, slices: 1 },
  ],
}
const report = { records: 2, kept: 1, dead: 0, entities: 1 }

function notesOf(given: [string, string][] = []) {
  const kept = new Map(given)
  return {
    kept,
    read: async () => new Map(kept),
    write: async (name: string, value: string) => void kept.set(name, value),
  }
}

test('every slice is folded once and noted, by whichever worker is free', async () => {
  const notes = notesOf()
  const done: string[] = []
  const fold = async (task: Parameters<typeof sliceName>[0]) => {
    done.push(sliceName(task))
    return report
  }
  expect(await foldAll(plan, notes, [fold, fold])).toEqual({ slices: 5, records: 10, kept: 5, dead: 0, entities: 5 })
  expect(done.sort()).toEqual(tasksOf(plan).map(sliceName).sort())
  expect([...notes.kept.keys()].sort()).toEqual(done)
})

test('what is noted is not done again; what failed is not noted, and nothing more is begun', async () => {
  const notes = notesOf([['slice 0:0/3', '{}']])
  const begun: string[] = []
  const fold = async (task: Parameters<typeof sliceName>[0]) => {
    begun.push(sliceName(task))
    if (begun.length === 2) throw new Error('the store is gone')
    return report
  }
  await expect(foldAll(plan, notes, [fold])).rejects.toThrow('the store is gone')
  expect(begun).toEqual(['slice 1:0/2', 'slice 0:1/3'])
  expect([...notes.kept.keys()]).toEqual(['slice 0:0/3', 'slice 1:0/2'])
})

const log = {
  offsets: async () => [
    { partition: 0, low: 5, high: 100 },
    { partition: 1, low: 0, high: 50 },
  ],
  offsetsAt: async (_: string, time: number) => [
    { partition: 0, offset: time },
    { partition: 1, offset: Math.min(time, 50) },
  ],
}
const none = { from: new Map<number, number>(), to: new Map<number, number>(), since: null, until: null }

test('without bounds all of the log is meant, with bounds what lies within all of them', async () => {
  expect(await spansOf(log, none)).toEqual([
    { partition: 0, from: 5, to: 100 },
    { partition: 1, from: 0, to: 50 },
  ])
  expect(await spansOf(log, { ...none, to: new Map([[0, 20]]) })).toEqual([
    { partition: 0, from: 5, to: 20 },
    { partition: 1, from: 0, to: 50 },
  ])
  expect(await spansOf(log, { ...none, since: 60, until: 80 })).toEqual([
    { partition: 0, from: 60, to: 80 },
    { partition: 1, from: 50, to: 50 },
  ])
})

test('offsets that the log does not hold are refused by name', async () => {
  await expect(spansOf(log, { ...none, from: new Map([[7, 1]]) })).rejects.toThrow(
    'entity.observations has no partition 7',
  )
  await expect(spansOf(log, { ...none, from: new Map([[0, 4]]) })).rejects.toThrow(
    'entity.observations/0 has offsets 5 to 100; 4 is out of range',
  )
})
