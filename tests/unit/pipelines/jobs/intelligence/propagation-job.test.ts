import { expect, test } from 'vitest'
import type { PropagationStore, StoredMark } from '../../../../../connectors/history/port.ts'
import { propagationJob } from '../../../../../pipelines/jobs/intelligence/propagation-job.ts'
import { entityId } from '../../../../../schemas/intelligence/entities/id.ts'
import type { Observation } from '../../../../../schemas/intelligence/observations/observation.ts'
import { isCoveredBy, type TypedValue } from '../../../../../schemas/intelligence/propagation/coverage.ts'
import type { EntityState } from '../../../../../schemas/intelligence/state/entity-state.ts'
import { NOW } from '../../../../builders/intelligence/observation.ts'

const NET: TypedValue = { type: 'cidr', value: '8.8.8.0/24' }
const ip = (n: number): TypedValue => ({ type: 'ip', value: `8.8.8.${n}` })
const row = (named: TypedValue, given: Partial<EntityState> = {}): EntityState =>
  ({
    ...named,
    entityId: entityId(named.type, named.value),
    audience: 1n,
    version: 1,
    reputation: -3,
    covers: false,
    cleared: false,
    covered: false,
    ...given,
  }) as EntityState

type Given = { marks?: TypedValue[]; cleared?: TypedValue[]; uncovered?: TypedValue[]; covered?: TypedValue[] }
const stored = (mark: TypedValue, holds: boolean, version = 1): StoredMark => ({ ...mark, added: NOW, version, holds })

/** A job over a store of marks and of entities that are covered or not, handed out two to a page. */
function setUp(given: Given = {}) {
  const marks = [
    ...(given.marks ?? []).map((mark) => stored(mark, true)),
    ...(given.cleared ?? []).map((mark) => stored(mark, false)),
  ]
  const told: string[] = []
  const asked: string[][] = []
  const clock = { now: NOW }
  const failing = { store: false, log: false }
  const store: PropagationStore = {
    marks: async () => marks,
    page: async (which, some, after) => {
      if (failing.store) throw new Error('the store is away')
      asked.push(some.map((mark) => mark.value))
      const all = given[which] ?? []
      const entities = all.slice(Number(after), Number(after) + 2)
      return { entities, next: Number(after) + 2 < all.length ? after + 2n : null }
    },
  }
  const stopping = new AbortController()
  const job = propagationJob(
    {
      store,
      log: {
        send: async (batches) => {
          if (failing.log) throw new Error('the log is away')
          for (const { messages } of batches) for (const { value } of messages) told.push(String(value))
        },
      },
      encode: (o: Observation) => Buffer.from(`${o.kind} ${o.value} ${o.source === entityId(NET.type, NET.value)}`),
    },
    { now: () => clock.now, signal: stopping.signal },
  )
  return { job, told, asked, clock, failing, stopping, marks }
}

test('the first turn looks under every mark, page by page, and tells what the rule says lies there', async () => {
  const uncovered = [ip(1), { type: 'ip', value: '9.9.9.9' }, ip(2), ip(3)]
  const { job, told, asked } = setUp({ marks: [NET], uncovered })
  expect(isCoveredBy(uncovered[1]!, NET)).toBe(false)
  expect(await job.turn()).toEqual({ sent: 3, swept: 1, full: false })
  expect(told).toEqual(['covered 8.8.8.1 true', 'covered 8.8.8.2 true', 'covered 8.8.8.3 true'])
  expect(asked).toEqual([[NET.value], [NET.value]])
  expect(await job.turn()).toEqual({ sent: 0, swept: 0, full: false })
})

test('what lies under a mark is known from when the mark was read or stored, until it is cleared', async () => {
  const { job } = setUp({ marks: [NET] })
  expect(job.isCovered(ip(1))).toBe(false)
  await job.turn()
  expect([job.isCovered(ip(1)), job.isCovered({ type: 'ip', value: '9.9.9.9' })]).toEqual([true, false])
  await job.stored([row(NET, { cleared: true, version: 2 })])
  expect(job.isCovered(ip(1))).toBe(false)
})

test('a mark that this process stored is looked under at once, and again 30 seconds later', async () => {
  const { job, asked, clock } = setUp()
  await job.turn()
  await job.stored([row(NET, { covers: true, reputation: 0 })])
  expect(await job.turn()).toMatchObject({ swept: 1 })
  clock.now += 29_999
  expect(await job.turn()).toMatchObject({ swept: 0 })
  clock.now += 1
  expect(await job.turn()).toMatchObject({ swept: 1 })
  expect(asked).toHaveLength(2)
})

test('a mark that another process stored is looked under 30 seconds later', async () => {
  const { job, clock, marks } = setUp()
  await job.turn()
  marks.push(stored(NET, true))
  expect(await job.turn()).toMatchObject({ swept: 0 })
  clock.now += 30_000
  expect(await job.turn()).toMatchObject({ swept: 1 })
})

test('a row under a known mark is told of before its range is committed, once between two turns', async () => {
  const { job, told } = setUp({ marks: [NET] })
  await job.turn()
  const rows = [row(ip(1)), row(ip(2), { covered: true }), row({ type: 'ip', value: '9.9.9.9' }), row(ip(1))]
  await job.stored(rows)
  await job.stored(rows)
  expect(told).toEqual(['covered 8.8.8.1 true'])
  expect(await job.turn()).toMatchObject({ sent: 1 })
  expect(await job.turn()).toMatchObject({ sent: 0 })
  await job.stored(rows)
  expect(told).toHaveLength(2)
})

test('every row under a mark is covered, whatever its reputation: no list of what is not well known may have it', async () => {
  const { job, told } = setUp({ marks: [NET] })
  await job.turn()
  const rows = [row(ip(1), { reputation: 0 }), row(ip(2), { reputation: 3 })]
  expect(rows.map(job.concerns)).toEqual([true, true])
  await job.stored(rows)
  expect(told).toEqual(['covered 8.8.8.1 true', 'covered 8.8.8.2 true'])
})

test('a record for one row is not taken for one of a later row of another audience', async () => {
  const { job, told } = setUp({ marks: [NET] })
  await job.turn()
  await job.stored([row(ip(1)), row(ip(1), { audience: 2n })])
  expect(told).toHaveLength(1)
  await job.stored([row(ip(1)), row(ip(1), { audience: 3n })])
  expect(told).toHaveLength(2)
})

test('a range whose record the log did not take fails, and tells of it when it is delivered again', async () => {
  const { job, told, failing } = setUp({ marks: [NET] })
  await job.turn()
  failing.log = true
  await expect(job.stored([row(ip(1))])).rejects.toThrow('the log is away')
  failing.log = false
  await job.stored([row(ip(1))])
  expect(told).toEqual(['covered 8.8.8.1 true'])
})

test('what the log or the store did not take of a look under marks is done in the next turn', async () => {
  const { job, told, failing } = setUp({ marks: [NET], uncovered: [ip(7)] })
  failing.store = true
  await expect(job.turn()).rejects.toThrow('the store is away')
  failing.store = false
  failing.log = true
  await expect(job.turn()).rejects.toThrow('the log is away')
  failing.log = false
  expect(await job.turn()).toEqual({ sent: 1, swept: 1, full: false })
  expect(told).toEqual(['covered 8.8.8.7 true'])
})

test('more rows than are remembered are all told of, some of them again', async () => {
  const { job, told } = setUp({ marks: [{ type: 'cidr', value: '9.0.0.0/8' }] })
  await job.turn()
  const many = Array.from({ length: 50_001 }, (_, n) => `9.${n >> 16}.${(n >> 8) & 255}.${n & 255}`)
  const rows = many.map((value) => row({ type: 'ip', value }))
  await job.stored(rows)
  await job.stored(rows)
  expect(told).toHaveLength(50_002)
})

test('a job that is stopped ends between two pages', async () => {
  const { job, told, stopping } = setUp({ marks: [NET], uncovered: [ip(1), ip(2), ip(3)] })
  stopping.abort(new Error('stopping'))
  await expect(job.turn()).rejects.toThrow('stopping')
  expect(told).toEqual([])
})

const WIDE: TypedValue = { type: 'cidr', value: '8.0.0.0/8' }

test('under a cleared mark, what no other mark covers loses its floor', async () => {
  const { job, told } = setUp({
    marks: [{ type: 'cidr', value: '8.8.8.128/25' }],
    cleared: [NET],
    covered: [ip(1), ip(200), { type: 'ip', value: '9.9.9.9' }],
  })
  await job.turn()
  expect(told).toEqual(['uncovered 8.8.8.1 true'])
})

test('a mark that this process saw cleared is looked under at once, and again 30 seconds later', async () => {
  const { job, asked, clock } = setUp({ marks: [NET] })
  await job.turn()
  await job.stored([row(NET, { cleared: true, reputation: 0, version: 2 })])
  expect(await job.turn()).toMatchObject({ swept: 1 })
  expect(await job.turn()).toMatchObject({ swept: 0 })
  clock.now += 30_000
  expect(await job.turn()).toMatchObject({ swept: 1 })
  expect(asked).toHaveLength(3)
})

test('a covered row under a cleared mark is told of when it is stored, unless another mark covers it', async () => {
  const { job, told } = setUp({ cleared: [NET] })
  await job.turn()
  const rows = [row(ip(1), { covered: true, reputation: 0 }), row(ip(2))]
  expect(rows.map(job.concerns)).toEqual([true, false])
  await job.stored(rows)
  await job.stored([row(WIDE, { covers: true, reputation: 0 }), row(ip(3), { covered: true, reputation: 0 })])
  expect(told).toEqual(['uncovered 8.8.8.1 true'])
})

test('a mark that was set again covers what is under it, whatever was sent before', async () => {
  const { job, told } = setUp({ marks: [NET] })
  await job.turn()
  await job.stored([row(ip(1))])
  await job.stored([row(NET, { cleared: true, reputation: 0, version: 2 })])
  await job.stored([row(ip(1), { covered: true, reputation: 0 })])
  await job.stored([row(NET, { covers: true, reputation: 0, version: 3 })])
  await job.stored([row(ip(1))])
  expect(told).toEqual(['covered 8.8.8.1 true', 'uncovered 8.8.8.1 true', 'covered 8.8.8.1 true'])
})

test('of two lines about a mark the one of the later row is true, in whatever order they are read', async () => {
  const { job, marks, told } = setUp({ cleared: [], covered: [ip(1)] })
  marks.push(stored(NET, false, 5), stored(NET, true, 3))
  await job.turn()
  expect(told).toEqual(['uncovered 8.8.8.1 true'])
  await job.stored([row(NET, { covers: true, reputation: 0, version: 4 }), row(ip(2))])
  expect(told).toHaveLength(1)
})
