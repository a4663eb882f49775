import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { SliceWriter } from '../../../../connectors/history/port.ts'
import type { LogMessage } from '../../../../connectors/log/port.ts'
import type { Registry } from '../../../../connectors/registry/port.ts'
import { applyBatch } from '../../../../pipelines/processors/intelligence/apply-batch.ts'
import { rescoreRow } from '../../../../pipelines/processors/intelligence/rescore.ts'
import { foldSlice } from '../../../../pipelines/rebuild/fold.ts'
import { seededRandom } from '../../../../platform/random.ts'
import { audienceId } from '../../../../schemas/intelligence/observations/audience.ts'
import type { Observation } from '../../../../schemas/intelligence/observations/observation.ts'
import { readRules } from '../../../../schemas/intelligence/scoring/rules.ts'
import { type RulesTimeline, rulesAt } from '../../../../schemas/intelligence/scoring/rules-timeline.ts'
import type { EntityState } from '../../../../schemas/intelligence/state/entity-state.ts'
import type { HistoryRecord } from '../../../../schemas/intelligence/state/stored.ts'
import { encoder } from '../../../../schemas/log/codec.ts'
import { records as types } from '../../../../schemas/log/records.ts'
import { DAY, HOUR, NOW, observation } from '../../../builders/intelligence/observation.ts'

const RULES = { dedupeWindow: HOUR, locate: () => ({ country: 'Testland', asn: 64500, aso: 'Test' }) }
const registry = { known: () => types.observation, schema: async () => types.observation } as unknown as Registry
const COUNT = 400
const SCORING = readRules({ id: 'other', formula: 2, trust: { s5: 0.9 } })

/** Eighty sources report one entity, in two audiences. */
function reports(seed: number): Observation[] {
  const random = seededRandom(seed)
  const of = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!
  return Array.from({ length: COUNT }, (_, i) =>
    observation({
      source: `s${Math.floor(random() * 80)}`,
      reputation: of([-3, -3, -1, 0, 2, null]),
      trust: of([0.3, 0.6, 0.6, 0.9]),
      audience: random() < 0.8 ? ['public'] : ['blue'],
      observedAt: NOW + i * HOUR - (random() < 0.2 ? Math.floor(random() * 40 * DAY) : 0),
    }),
  )
}

/** One after the other, each score from all claims: a row that names no sources passes for one of few. */
function inTurn(all: readonly Observation[], timeline: RulesTimeline) {
  const history: HistoryRecord[] = []
  let rows: EntityState[] = []
  for (const [offset, o] of all.entries()) {
    const scoring = rulesAt(timeline, 0, offset)
    rows = rows.map((row) => ({ ...rescoreRow(row, scoring), sources: 0 }))
    const record = { observation: o, partition: 0, offset, audience: audienceId(o.audience) }
    const applied = applyBatch(new Map([[o.entityId, rows]]), [record], { ...RULES, scoring })
    history.push(...applied.history)
    rows = [...applied.states.values()].flat()
  }
  return { history, rows: rows.map((row) => rescoreRow(row, rulesAt(timeline, 0, COUNT))) }
}

async function folded(all: readonly Observation[], timeline: RulesTimeline) {
  const encode = encoder<Observation>(types.observation, 1)
  const messages = all.map((o, offset): LogMessage => {
    return { offset, timestamp: o.observedAt, headers: {}, key: Buffer.from(o.entityId), value: encode(o) }
  })
  const log = {
    async *scan() {
      yield messages
    },
  }
  const told = { history: [] as HistoryRecord[], rows: [] as EntityState[] }
  const writer: SliceWriter = {
    history: told.history,
    edges: { push: () => undefined },
    retractions: { push: () => undefined },
    audience: () => undefined,
    entity: (row) => void told.rows.push({ ...row }),
    count: () => undefined,
    room: async () => undefined,
    finish: async () => undefined,
  }
  const task = { partition: 0, slice: 0, slices: 1, from: 0, to: COUNT, source: null }
  await foldSlice({ log, registry, writer, homeOf: () => 0, timeline }, task, RULES, () => undefined)
  return told
}

test('a rebuild gives the rows of many sources that every claim gives, under rules that change on the way too', async () => {
  const timelines: RulesTimeline[] = [[], [{ rules: SCORING, from: new Map([[0, 230]]) }]]
  await fc.assert(
    fc.asyncProperty(fc.nat(), fc.constantFrom(...timelines), async (seed, timeline) => {
      const all = reports(seed)
      expect(await folded(all, timeline)).toEqual(inTurn(all, timeline))
    }),
    { numRuns: 20 },
  )
})
