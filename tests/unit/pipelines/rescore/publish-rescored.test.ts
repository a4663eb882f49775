import { expect, test } from 'vitest'
import type { UntoldRow } from '../../../../connectors/history/port.ts'
import { scoreOf } from '../../../../pipelines/processors/intelligence/rescore.ts'
import { type PublishPorts, publishRescored } from '../../../../pipelines/rescore/publish-rescored.ts'
import type { RescoreState } from '../../../../pipelines/rescore/rescore-state.ts'
import { entityId } from '../../../../schemas/intelligence/entities/id.ts'
import type { Observation } from '../../../../schemas/intelligence/observations/observation.ts'
import { readRules } from '../../../../schemas/intelligence/scoring/rules.ts'
import { NOW } from '../../../builders/intelligence/observation.ts'

const MEDIAN = readRules({ id: 'median', formula: 2 })
const DATABASE = 'harrier_g1'
const never = new AbortController().signal
const published: RescoreState = {
  live: 'harrier',
  before: '',
  after: JSON.stringify(MEDIAN),
  since: [0, 0],
  stage: 'published',
  // In another order than their partitions.
  from: [
    { partition: 1, offset: 9 },
    { partition: 0, offset: 7 },
  ],
  at: NOW,
}

/** A row that the median rates otherwise than the mean, or one that it does not. */
function row(n: number, differs = true): UntoldRow {
  const value = `10.0.${n >> 8}.${n & 255}`
  const claims = [-3, -3, differs ? 3 : -3].map((reputation, i) => {
    return { source: `s${i}`, kind: 'user' as const, trust: i === 2 ? 1 : 0.6, reputation, at: NOW }
  })
  const shown = { wellKnown: false, covered: false, verdict: null, retracted: false }
  const of = { entityId: entityId('ip', value), type: 'ip', value, audience: 1n, scoredAt: NOW, claims, ...shown }
  return { ...of, ...scoreOf(of, MEDIAN) }
}

type World = { pages?: UntoldRow[][]; lag?: () => number; applied?: () => number; live?: () => string }

/** Pages of rows, whose keys are their places among the pages. */
function world({ pages = [], lag = () => 0, applied = () => 0, live = () => DATABASE }: World) {
  const sent: Observation[][] = []
  const notes: RescoreState[] = []
  const asked: unknown[] = []
  let clock = NOW
  let fails = Number.POSITIVE_INFINITY
  const ports: PublishPorts = {
    log: {
      send: async ([batch]) => {
        if (fails-- <= 0) throw new Error('the log is away')
        sent.push(batch!.messages.map(({ value }) => JSON.parse(String(value))))
      },
      offsets: async () => [{ partition: 0, low: 0, high: applied() + lag() }],
      committed: async () => [{ partition: 0, offset: applied() }],
    } as PublishPorts['log'],
    generations: {
      current: async () => ({
        database: live(),
        locked: false,
        rules: '',
        applied: [],
        rescored: { before: '', since: [7, 9] },
      }),
    },
    shadow: {
      async *untold(since, first) {
        asked.push([since, first])
        for (let i = Number(first); i < pages.length; i++)
          yield { rows: pages[i]!, next: i + 1 < pages.length ? BigInt(i + 1) : null }
      },
      note: async (text) => void notes.push(JSON.parse(text)),
    },
    encode: (o) => Buffer.from(JSON.stringify(o)),
    now: () => clock,
    pause: async (ms) => {
      clock += ms
    },
  }
  return {
    ports,
    sent,
    notes,
    asked,
    slept: () => clock - NOW,
    failAfter(sends: number) {
      fails = sends
    },
    tell: (state: RescoreState = published, signal = never) => publishRescored(ports, DATABASE, state, signal),
  }
}

test('one record is sent for each entity that is shown otherwise, of the rows of before the promotion', async () => {
  const other = { ...row(2), audience: 2n }
  const { tell, sent, notes, asked } = world({ pages: [[row(1), row(2), other, row(3, false)], [row(4)]] })
  expect(await tell()).toBe(3)
  expect(asked).toEqual([[[7, 9], 0n]])
  expect(sent.flat().map(({ value, kind, audience }) => [value, kind, audience])).toEqual(
    [1, 2, 4].map((n) => [`10.0.0.${n}`, 'rescored', []]),
  )
  expect(notes.map(({ stage, toldTo }) => [stage, toldTo])).toEqual([
    ['published', '1'],
    ['told', '1'],
  ])
})

test('what was interrupted goes on at the page where it ended, with the same records', async () => {
  const pages = [[row(1)], [row(2)], [row(3)]]
  const whole = world({ pages })
  await whole.tell()
  const { tell, sent, notes, asked, failAfter } = world({ pages })
  failAfter(2)
  await expect(tell()).rejects.toThrow('the log is away')
  failAfter(Number.POSITIVE_INFINITY)
  expect(await tell(notes.at(-1))).toBe(1)
  expect(asked.at(-1)).toEqual([[7, 9], 2n])
  expect(sent).toEqual(whole.sent)
  expect(await tell(notes.at(-1))).toBe(0)
  expect(sent).toHaveLength(3)
})

test('at most 10,000 records wait for the jobs', async () => {
  let lag = 30_000
  const waiting: number[] = []
  const page = Array.from({ length: 12_000 }, (_, n) => row(n))
  const { ports, tell, sent, slept } = world({
    pages: [page],
    // The jobs apply 2,500 between two looks.
    lag: () => {
      lag = Math.max(0, lag - 2_500)
      return lag
    },
    applied: () => 100_000 - lag,
  })
  const { send } = ports.log
  ports.log.send = async (batches) => {
    const done = await send(batches)
    lag += sent.at(-1)!.length
    waiting.push(lag)
    return done
  }
  expect(await tell()).toBe(12_000)
  expect(sent.map(({ length }) => length)).toEqual([5_000, 5_000, 2_000])
  expect(Math.max(...waiting)).toBeLessThanOrEqual(10_000)
  expect(slept()).toBeGreaterThan(1_500)
})

test('jobs that stand still are waited for some seconds, and not again', async () => {
  const { tell, sent, slept } = world({ pages: [[row(1)], [row(2)]], lag: () => 20_000 })
  expect(await tell()).toBe(2)
  expect(sent).toHaveLength(2)
  expect(slept()).toBeGreaterThan(10_000)
  expect(slept()).toBeLessThan(15_000)
})

test('nothing is told of tables that are not live any more, nor without the rules of before', async () => {
  const { tell, sent, notes } = world({ pages: [[row(1)]], live: () => 'harrier_g2' })
  await expect(tell()).rejects.toThrow("'harrier_g1' is no longer live")
  expect([sent, notes]).toEqual([[], []])
  const { ports, sent: none, notes: told } = world({ pages: [[row(1)]] })
  const current = async () => ({ ...(await world({}).ports.generations.current()), rescored: null })
  expect(await publishRescored({ ...ports, generations: { current } }, DATABASE, published, never)).toBe(0)
  expect([none, told.map(({ stage }) => stage)]).toEqual([[], ['told']])
})

test('it ends between pages when it is told to, and begins only with what the log knows of', async () => {
  const stop = new AbortController()
  const { tell, sent, notes } = world({ pages: [[row(1)], [row(2)]] })
  const told = tell(published, stop.signal)
  stop.abort(new Error('stopped'))
  await expect(told).rejects.toThrow('stopped')
  expect([sent, notes]).toEqual([[], []])
  for (const stage of ['building', 'built', 'applying', 'told'] as const)
    expect(await tell({ ...published, stage })).toBe(0)
  expect(sent).toEqual([])
})
