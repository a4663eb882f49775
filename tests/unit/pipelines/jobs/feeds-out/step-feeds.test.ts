import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { FeedWrite } from '../../../../../connectors/history/feeds-out/port.ts'
import { knownFeeds } from '../../../../../pipelines/jobs/feeds-out/known-feeds.ts'
import { stepFeeds } from '../../../../../pipelines/jobs/feeds-out/step-feeds.ts'
import { appliedIn, stepsOf, type TimedChange } from '../../../../../pipelines/jobs/feeds-out/steps-of-change.ts'
import type { FeedDelta } from '../../../../../schemas/feeds-out/delta.ts'
import { entityId } from '../../../../../schemas/intelligence/entities/id.ts'
import type { Link, Observation } from '../../../../../schemas/intelligence/observations/observation.ts'
import { BUILT_IN, readRules } from '../../../../../schemas/intelligence/scoring/rules.ts'
import type { Change } from '../../../../../schemas/intelligence/state/change.ts'
import { headOf } from '../../../../builders/history/feed-lists.ts'
import { positioned, replayedChanges } from '../../../../builders/intelligence/changes.ts'
import { HOUR } from '../../../../builders/intelligence/observation.ts'
import { changesUnder, rescored } from '../../../../builders/intelligence/replay/replay-rules.ts'
import { selectorOf } from '../../../../builders/intelligence/selectors/view.ts'
import { defaultRules } from '../../../../builders/platform/data-folder.ts'

const FEED = '01941f29-7c00-7000-8000-000000000001'

const head = headOf(FEED, { epoch: 7 })

/** Changes of so many addresses, all of one partition, which one batch appended in one millisecond. */
const changesOf = (n: number): Change[] =>
  replayedChanges(
    positioned(
      Array.from({ length: n }, (_, i) => ({ type: 'ip', value: `9.9.9.${i}`, reputation: -3, observedAt: 1_000 + i })),
    ),
    defaultRules(),
  )

const at = (time: number, changes: readonly Change[]): TimedChange[] => changes.map((change) => ({ change, time }))

function world(known = head) {
  const writes: FeedWrite[] = []
  const told: number[] = []
  const feeds = knownFeeds()
  feeds.add(known)
  let version = 10
  let fails = 0
  let refuses = 0
  const context = {
    feeds,
    applied: appliedIn([known]),
    newVersion: () => ++version,
    newEpoch: () => 99,
    options: { now: () => 5_000, report: () => undefined },
    ports: {
      store: {
        write: async (all: readonly FeedWrite[]) => {
          if (fails-- > 0) throw new Error('the store is away')
          writes.push(...all)
        },
        deltas: async (_: string, after: number, to: number) =>
          writes.flatMap(({ deltas }) => deltas).filter(({ sequence }) => sequence > after && sequence <= to),
      },
      log: {
        send: async (batches: readonly { messages: readonly { value: FeedDelta }[] }[]) => {
          if (refuses-- > 0) throw new Error('the log is full')
          for (const { value } of batches[0]!.messages) told.push(value.sequence)
        },
      },
      encode: (_: string, delta: FeedDelta) => delta,
    },
  } as never as Parameters<typeof stepFeeds>[0]
  const live = { generation: 'live', rules: BUILT_IN, rows: {} } as never
  return {
    context,
    step: (batches: readonly TimedChange[][]) =>
      stepFeeds(
        context,
        batches.map((records) => ({ records })),
        live,
      ),
    failing(times: number) {
      fails = times
    },
    refusing(times: number) {
      refuses = times
    },
    sequences: () => writes.flatMap(({ deltas }) => deltas.map(({ sequence }) => sequence)),
    entities: () => new Set(writes.flatMap(({ deltas }) => deltas.map(({ item }) => item.entityId))),
    told,
  }
}

describe('a batch of changes', () => {
  test('of one moment is looked at whole, whatever the ids of its entities', async () => {
    const { step, entities, sequences } = world()
    await step([at(1_000, changesOf(50))])
    expect(entities().size).toBe(50)
    expect(sequences()).toEqual(Array.from({ length: 50 }, (_, i) => i + 1))
  })

  test('that was looked at is nothing new when it is sent again, within a batch or in a later one', async () => {
    const { step, sequences } = world()
    const changes = at(1_000, changesOf(5))
    await step([[...changes, ...changes]])
    await step([changes])
    expect(sequences()).toEqual([1, 2, 3, 4, 5])
  })

  test('that could not be stored is looked at again', async () => {
    const { step, failing, entities } = world()
    failing(1)
    const changes = [at(1_000, changesOf(5))]
    await expect(step(changes)).rejects.toThrow('the store is away')
    await step(changes)
    expect(entities().size).toBe(5)
  })

  test('that was sent again long after a restart is nothing new, whatever came before it', async () => {
    const changes = changesOf(6)
    const before = { ...head, sequence: 5, published: 5, items: 5, inside: 5, applied: { 3: 5, 4: 9 } }
    const { step, sequences, entities } = world(before)
    await step([at(1_000, [{ ...changes[5]!, partition: 7 }])])
    await step([at(1_001, changes.slice(0, 5))])
    expect([sequences(), [...entities()]]).toEqual([[6], [changes[5]!.entityId]])
  })

  test('that was stored and could not be published is published before what follows it', async () => {
    const { step, refusing, told, sequences } = world()
    const changes = changesOf(8)
    refusing(2)
    await expect(step([at(1_000, changes.slice(0, 5))])).rejects.toThrow('the log is full')
    await expect(step([at(1_000, changes)])).rejects.toThrow('the log is full')
    expect(told).toEqual([])
    await step([at(1_000, changes)])
    expect(sequences()).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
    expect(told).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
  })
})

describe('the steps of a feed', () => {
  const ordered = (...batches: TimedChange[][]): string[] => {
    const feeds = knownFeeds()
    feeds.add(head)
    const { steps } = stepsOf(
      batches.map((records) => ({ records })),
      feeds,
      BUILT_IN,
    )
    return [...steps.values()].flatMap((those) => those.map(({ entityId }) => entityId))
  }

  test('are in the order of their times across partitions, and within one as its records stand', () => {
    const [a, b, c] = changesOf(3) as [Change, Change, Change]
    const one = [
      { change: a, time: 20 },
      { change: b, time: 10 },
    ]
    const behind = [a, b].map(({ entityId }) => entityId).sort()
    expect(ordered(one, [{ change: c, time: 15 }])).toEqual([c.entityId, ...behind])
    expect(ordered([{ change: c, time: 15 }], one)).toEqual([c.entityId, ...behind])
  })

  test('of one moment are in the order of the ids of their entities', () => {
    const changes = changesOf(40)
    expect(ordered(at(1_000, changes))).toEqual(changes.map(({ entityId }) => entityId).sort())
  })

  test('are of those feeds alone that a change concerns, before or after it, once for each', () => {
    const feeds = knownFeeds()
    const feedOf = (n: number, tag: string): ReturnType<typeof feeds.add> => {
      const id = `01941f29-7c00-7000-8000-00000000000${n}`
      return feeds.add(
        headOf(id, { epoch: 7, feed: { ...head.feed, id, selector: selectorOf({ tags: { any: [tag] } }) } }),
      )
    }
    const [red, blue, both] = [feedOf(1, 'red'), feedOf(2, 'blue'), feedOf(3, 'both')]
    feedOf(4, 'other')
    const reports = [['red', 'both'], ['blue']].map((tags, i) => ({ tags, source: `s${i}`, observedAt: 1_000 + i }))
    const changes = replayedChanges(positioned(reports), defaultRules())
    const { steps } = stepsOf([{ records: at(1_000, changes) }], feeds, BUILT_IN)
    const counts = [red, blue, both].map((known) => steps.get(known)?.length)
    expect(counts).toEqual([2, 1, 2])
    expect(steps.size).toBe(3)
  })

  test('do not follow from other scoring rules, by which lists are made anew', () => {
    const selector = selectorOf({ reputation: { lte: -1 } })
    const known = headOf(FEED, { epoch: 7, feed: { ...head.feed, selector } })
    const split = [{ source: 's1' }, { source: 's2' }, { source: 's3', reputation: 3, trust: 1 }]
    const stepped = (later: Partial<Observation>[]): string[] => {
      const feeds = knownFeeds()
      feeds.add(known)
      const changes = changesUnder([split, BUILT_IN], [later, readRules({ id: 'median', formula: 2 })])
      const { steps } = stepsOf([{ records: at(1_000, changes.slice(split.length)) }], feeds, BUILT_IN)
      return [...steps.values()]
        .flat()
        .map(({ before, after, reason }) => `${reason} ${before?.reputation} ${after?.reputation}`)
    }
    expect(stepped([rescored()])).toEqual([])
    // The report is a step of what the list has by then.
    const report = { source: 's1', tags: ['t'] }
    for (const later of [
      [report, rescored()],
      [rescored(), report],
    ])
      expect(stepped(later)).toEqual(['reported -3 -3'])
  })

  test('do not follow from what reports name: links of repeats are changes, and no steps', () => {
    const link: Link = { mode: 'association', entityId: entityId('domain', 'example.com'), relationship: null }
    const report = fc.record({
      source: fc.constantFrom('s1', 's2'),
      audience: fc.constantFrom<string[][]>(['public'], ['public'], ['blue'], ['blue', 'red']),
      reputation: fc.constantFrom(-3, -3, 0),
      tags: fc.constantFrom<string[][]>([], ['t']),
      observedAt: fc.integer({ min: 0, max: 200 }).map((minutes) => 1_000 + minutes * 60_000),
      links: fc.constantFrom<Link[][]>([], [link]),
    })
    const rules = { dedupeWindow: HOUR, locate: () => ({ country: '', asn: 0, aso: '' }) }
    const stepped = (reports: readonly Partial<Observation>[]) => {
      const feeds = knownFeeds()
      for (const [n, groups] of [['public'], ['blue', 'public']].entries()) {
        const id = `01941f29-7c00-7000-8000-00000000000${n}`
        feeds.add(headOf(id, { epoch: 7, feed: { ...head.feed, id, groups } }))
      }
      const changes = replayedChanges(positioned(reports), rules)
      const { steps } = stepsOf([{ records: at(1_000, changes) }], feeds, BUILT_IN)
      return { sent: changes.length, steps: [...steps].map(([{ head }, those]) => [head.feed.id, those]) }
    }
    let more = 0
    fc.assert(
      fc.property(fc.array(report, { minLength: 1, maxLength: 12 }), (reports) => {
        const named = stepped(reports)
        const unnamed = stepped(reports.map((one) => ({ ...one, links: [] })))
        more += named.sent - unnamed.sent
        expect(named.steps).toEqual(unnamed.steps)
      }),
      { numRuns: 300 },
    )
    expect(more).toBeGreaterThan(0)
  })
})

test('how far changes were looked at is what the furthest head says, for each partition', () => {
  expect(appliedIn([{ applied: { 0: 5, 2: 9 } }, { applied: { 0: 7, 1: 1 } }, { applied: {} }])).toEqual({
    0: 7,
    1: 1,
    2: 9,
  })
})
