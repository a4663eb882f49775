import { expect, test } from 'vitest'
import type { EventLog } from '../../../../../connectors/log/port.ts'
import { untilStored } from '../../../../../connectors/operations/changes/until-stored.ts'
import { wideLooks } from '../../../../../pipelines/jobs/casework/alerts-job.ts'
import { type AlertStep, lookAt, type WideLook } from '../../../../../pipelines/processors/casework/look-at.ts'
import { wideMemory } from '../../../../../pipelines/processors/casework/wide-memory.ts'
import { applyBatch } from '../../../../../pipelines/processors/intelligence/apply-batch.ts'
import type { LiveEntities } from '../../../../../pipelines/runtime/live-entities.ts'
import type { Observation } from '../../../../../schemas/intelligence/observations/observation.ts'
import { BUILT_IN, readRules } from '../../../../../schemas/intelligence/scoring/rules.ts'
import { type GivenItem, watchedOf } from '../../../../builders/accounts/casework/watched.ts'
import { positioned, replayedChanges } from '../../../../builders/intelligence/changes.ts'
import { HOUR, NOW } from '../../../../builders/intelligence/observation.ts'
import { changesUnder, rescored } from '../../../../builders/intelligence/replay/replay-rules.ts'

const rules = { dedupeWindow: HOUR, locate: () => ({ country: '', asn: 0, aso: '' }) }
const { signal } = new AbortController()
/** The first report, and one of another audience, so that a reader of both folds them. */
const FIRST: Partial<Observation>[] = [{ reputation: 2 }, { audience: ['blue'], source: 's2', reputation: 2 }]

/**
 * What is told of the changes behind the first two, as if none of them carried claims; each looks at the rows as they are
 * after it. `forgets`: each is looked at by another process.
 */
async function told(items: readonly GivenItem[], later: readonly Partial<Observation>[], { forgets = false } = {}) {
  const watched = watchedOf(items)
  const log = positioned([...FIRST, ...later])
  const changes = replayedChanges(log, rules).map((change) => ({ ...change, wide: true }))
  let memory = wideMemory()
  const steps: string[] = []
  const tell = ({ does, item, view }: AlertStep) => steps.push(`${does} ${item.id} ${view.reputation}`)
  for (const change of changes.slice(FIRST.length)) {
    if (forgets) memory = wideMemory()
    const { rows, audiences } = applyBatch(new Map(), log.slice(0, change.offset + 1), rules)
    const live = async (): Promise<LiveEntities> => ({
      generation: 'live',
      rules: BUILT_IN,
      rows: { rowsOf: async () => rows, groupsOf: async () => new Map(audiences) },
    })
    const committed = async () => [{ partition: change.partition, offset: change.offset + 1 }]
    const look = wideLooks({ stored: untilStored({ log: { committed }, pause: async () => undefined }), live })
    const wide: WideLook[] = []
    lookAt(
      { change, time: NOW },
      watched,
      BUILT_IN,
      () => expect.unreachable('all are wide'),
      (one) => wide.push(one),
    )
    for (const one of wide) await look(one, memory, watched.index, tell, signal)
    memory.keep()
  }
  return steps
}

const watch = (given: object): GivenItem => ({ watch: { kind: 'value', value: '8.8.8.8', ...given }, groups: ['blue'] })
const bad = (source: string): Partial<Observation> => ({ source, reputation: -3, trust: 1 })

test('an item fires once as the stored view comes down to its bound, and not while it stays there', async () => {
  const later = [...['s3', 's4', 's5', 's6'].map(bad), { source: 's7', tags: ['t'] }]
  const steps = await told([watch({ max_reputation: -1 }), watch({})], later)
  expect(steps).toEqual([expect.stringMatching(/^fire 0 -[123]$/)])
})

test('a tag that none of the rows had is an entry, also for a process that remembers nothing', async () => {
  const later = [
    { source: 's3', tags: ['apt'] },
    { source: 's4', tags: ['apt'] },
  ]
  const item = { watch: { kind: 'tag', value: 'apt' }, groups: ['blue'] }
  for (const forgets of [true, false]) expect(await told([item], later, { forgets })).toHaveLength(1)
})

test('a process that remembers nothing takes a view for what it is now, unless a row came down with this change', async () => {
  const item = watch({ max_reputation: 0 })
  const [down, same] = [{ ...bad('s1') }, { source: 's9', tags: ['t'], reputation: null }]
  expect(await told([item], [down, same], { forgets: true })).toEqual([expect.stringMatching(/^fire 0 -?[0123]$/)])
  expect(await told([item], [{ ...down, reputation: 2 }, same], { forgets: true })).toEqual([])
})

test('a mark withdraws what it takes out', async () => {
  const later = [...['s3', 's4', 's5', 's6'].map(bad), { kind: 'well_known', reputation: null } as const]
  const steps = await told([watch({ max_reputation: -1 })], later)
  expect(steps.map((step) => step.split(' ')[0])).toEqual(['fire', 'withdraw'])
})

test('other scoring rules move a view from what its rows showed by those of before, also for a process that remembers nothing', () => {
  const first = [{ source: 's1' }, { source: 's2' }, { source: 's3', reputation: 3, trust: 1 }]
  const blue = { source: 's4', audience: ['blue'], reputation: 0 }
  const median = readRules({ id: 'median', formula: 2 })
  const change = changesUnder([[...first, blue], BUILT_IN], [[rescored()], median]).at(-1)!
  const { readers } = watchedOf([watch({})])
  const reader = readers.take(['blue', 'public'])
  const after = { ...change, reputation: -3, tags: [] } as unknown as AlertStep['view']
  const { before, reason } = wideMemory().take({ ...change, wide: true }, reader, after)
  expect([before, reason]).toEqual([expect.objectContaining({ reputation: 0 }), 'rescored'])
})

test('a change is decided once its rows are stored', async () => {
  const offsets = [1, 2, 3, 6]
  let asked = 0
  const log: Pick<EventLog, 'committed'> = { committed: async () => [{ partition: 3, offset: offsets[asked++]! }] }
  let looked = -1
  const live = async (): Promise<LiveEntities> => {
    looked = asked
    const rows = { rowsOf: async () => [], groupsOf: async () => new Map() }
    return { generation: 'live', rules: BUILT_IN, rows }
  }
  const look = wideLooks({ stored: untilStored({ log, pause: async () => undefined }), live })
  const { readers, index } = watchedOf([watch({})])
  const [change] = replayedChanges(positioned([{}]), rules)
  const reader = readers.take(['public'])
  await look(
    { change: { ...change!, offset: 5 }, time: NOW, reader },
    wideMemory(),
    index,
    () => expect.unreachable(),
    signal,
  )
  expect([looked, asked]).toEqual([4, 4])
})

test('what was not stored is decided again as it was before, and what was stored is not', () => {
  const memory = wideMemory()
  const { readers } = watchedOf([watch({})])
  const reader = readers.take(['blue', 'public'])
  const [, , change] = replayedChanges(positioned([...FIRST, { source: 's3', reputation: -3 }]), rules)
  const view = (reputation: number) => ({ ...change!, reputation }) as unknown as AlertStep['view']
  memory.take(change!, reader, view(1))
  memory.keep()
  expect(memory.take(change!, reader, view(-1)).before).toMatchObject({ reputation: 1 })
  memory.drop()
  expect(memory.take(change!, reader, view(-1)).before).toMatchObject({ reputation: 1 })
  memory.keep()
  expect(memory.take(change!, reader, view(-2)).before).toMatchObject({ reputation: -1 })
})
