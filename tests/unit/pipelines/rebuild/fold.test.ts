import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { SliceWriter } from '../../../../connectors/history/port.ts'
import type { LogMessage, OutgoingMessage } from '../../../../connectors/log/port.ts'
import type { Registry } from '../../../../connectors/registry/port.ts'
import type { AppliedBatch } from '../../../../pipelines/processors/intelligence/apply-batch.ts'
import { applyRecord } from '../../../../pipelines/processors/intelligence/rows/apply-record.ts'
import { faultOf, placeFault } from '../../../../pipelines/processors/intelligence/validate.ts'
import { foldSlice } from '../../../../pipelines/rebuild/fold.ts'
import { isOf } from '../../../../pipelines/rebuild/slice.ts'
import { audienceId } from '../../../../schemas/intelligence/observations/audience.ts'
import type { Observation } from '../../../../schemas/intelligence/observations/observation.ts'
import type { EntityState, EntityStates } from '../../../../schemas/intelligence/state/entity-state.ts'
import type { HistoryRecord } from '../../../../schemas/intelligence/state/stored.ts'
import { decoder } from '../../../../schemas/log/codec.ts'
import { records as types } from '../../../../schemas/log/records.ts'
import { DAY } from '../../../builders/intelligence/observation.ts'
import { randomLog } from '../../../builders/log/observation-log.ts'

const RULES = { dedupeWindow: DAY, locate: () => ({ country: 'Testland', asn: 64500, aso: 'Test' }) }
const registry = { known: () => types.observation, schema: async () => types.observation } as unknown as Registry

/** A random log of one partition. */
async function logOf(count: number, seed: number): Promise<LogMessage[]> {
  const messages: LogMessage[] = []
  const send = async (batches: readonly { messages: readonly OutgoingMessage[] }[]): Promise<void> => {
    for (const { key, value, timestamp } of batches.flatMap((batch) => batch.messages))
      messages.push({
        offset: messages.length,
        timestamp: timestamp!,
        headers: {},
        key: key === null ? null : Buffer.from(key),
        value,
      })
  }
  await randomLog({ send }, 1, count, seed)
  return messages
}

type Told = { history: HistoryRecord[]; rows: EntityState[]; n: number }

/** Every record in its turn, with nothing forgotten in between: what any cleverness has to come to. */
function inTurn(messages: readonly LogMessage[]): Told {
  const decode = decoder<Observation>(types.observation, () => types.observation)
  const states = new Map<string, EntityStates>()
  const history: HistoryRecord[] = []
  const nobody: Pick<AppliedBatch, 'edges' | 'audiences' | 'retractions'> = {
    edges: [],
    retractions: [],
    audiences: new Map(),
  }
  for (const { value, key, offset, timestamp } of messages) {
    const decoded = value === null ? { ok: false as const } : decode(value)
    if (!decoded.ok) continue
    const o = decoded.record
    if (faultOf(o, timestamp) !== null || placeFault(o, key, 0, 0) !== null) continue
    const before = states.get(o.entityId) ?? []
    const record = { observation: o, partition: 0, offset, audience: audienceId(o.audience), loggedAt: timestamp }
    const rows = applyRecord(before, record, RULES, { ...nobody, history, changes: null })
    if (rows !== null) states.set(o.entityId, rows)
  }
  return { history, rows: [...states.values()].flat(), n: 0 }
}

/** @param gone offset from which on nothing is left when the log is read for the second time */
async function folded(messages: readonly LogMessage[], slices: number, gone = messages.length): Promise<Told> {
  const told: Told = { history: [], rows: [], n: 0 }
  let scans = 0
  const log = {
    async *scan(_: string, __: number, from: number, to: number) {
      const end = scans++ % 2 === 0 ? to : Math.min(to, gone)
      for (let at = from; at < end; at += 50) yield messages.slice(at, Math.min(end, at + 50))
    },
  }
  const writer: SliceWriter = {
    history: told.history,
    edges: { push: () => undefined },
    retractions: { push: () => undefined },
    audience: () => undefined,
    entity: (row) => void told.rows.push(row),
    count: ({ dim, n }) => {
      if (dim === 'cell') told.n += n
    },
    room: async () => undefined,
    finish: async () => undefined,
  }
  for (let slice = 0; slice < slices; slice++) {
    const task = { partition: 0, slice, slices, from: 0, to: messages.length, source: null }
    const ports = { log, registry, writer, homeOf: () => 0, timeline: [] }
    const report = await foldSlice(ports, task, RULES, () => undefined)
    expect(report.records).toBe(messages.slice(0, gone).filter(({ key }) => isOf(task, key)).length)
  }
  return told
}

const sorted = ({ history, rows }: Told) => ({
  history: history.toSorted((a, b) => a.offset - b.offset),
  rows: rows.toSorted((a, b) => (a.entityId + a.audience < b.entityId + b.audience ? -1 : 1)),
})

test('slices give what records in turn give, with records that wait, share places and are of no use', async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(), fc.integer({ min: 1, max: 3 }), async (seed, slices) => {
      const messages = await logOf(400, seed)
      const [expected, found] = [inTurn(messages), await folded(messages, slices)]
      expect(sorted(found)).toEqual(sorted(expected))
      expect(found.n).toBe(expected.rows.filter(({ retracted }) => !retracted).length)
    }),
    { numRuns: 40 },
  )
})

test('nothing that was read is lost when records that were counted are gone', async () => {
  for (const seed of [1, 2, 3]) {
    const messages = await logOf(400, seed)
    expect(sorted(await folded(messages, 2, 250))).toEqual(sorted(inTurn(messages.slice(0, 250))))
  }
})
