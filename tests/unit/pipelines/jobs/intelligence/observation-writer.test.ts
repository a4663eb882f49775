import { expect, test } from 'vitest'
import type { ObservationStore } from '../../../../../connectors/history/port.ts'
import type { Batch } from '../../../../../connectors/log/port.ts'
import { gatheredChanges } from '../../../../../pipelines/jobs/intelligence/gathered-changes.ts'
import { memoryOf } from '../../../../../pipelines/jobs/intelligence/observation-memory.ts'
import { observationWriter } from '../../../../../pipelines/jobs/intelligence/observation-writer.ts'
import { applyBatch } from '../../../../../pipelines/processors/intelligence/apply-batch.ts'
import type { Link } from '../../../../../schemas/intelligence/observations/observation.ts'
import { rulesIn } from '../../../../../schemas/intelligence/scoring/rules.ts'
import { memoryObservationStore } from '../../../../builders/history/observation-store.ts'
import { observation } from '../../../../builders/intelligence/observation.ts'

const SIDE_BY_SIDE = ['history', 'associations', 'counts'] as const
type Table = (typeof SIDE_BY_SIDE)[number]

/** A store that holds the writes of some tables until they are released, and notes begin and end of each. */
function heldStore() {
  const store = memoryObservationStore()
  const events: string[] = []
  const held = Object.fromEntries(SIDE_BY_SIDE.map((table) => [table, Promise.withResolvers<void>()]))
  const traced = { ...store } as ObservationStore
  for (const table of [...SIDE_BY_SIDE, 'audiences', 'retractions', 'entities'] as const) {
    const write = store[table] as (...args: unknown[]) => Promise<void>
    traced[table] = async (...args: unknown[]) => {
      events.push(`${table} begins`)
      await held[table]?.promise
      await write(...args)
      events.push(`${table} ends`)
    }
  }
  return { store: traced, events, held: held as Record<Table, PromiseWithResolvers<void>> }
}

function writing(store: ObservationStore, links: readonly Link[] = [], send = async (): Promise<void> => undefined) {
  const memory = memoryOf({ database: 'harrier', rules: '', applied: [], rescored: null, store })
  const one = { observation: observation({ links: [...links] }), partition: 0, offset: 0, audience: 1n }
  const rules = { dedupeWindow: 0, locate: () => ({ country: '', asn: 0, aso: '' }), scoring: rulesIn('') }
  const applied = applyBatch(new Map([[one.observation.entityId, []]]), [one], rules)
  const write = observationWriter({ log: { send } })
  const batch = { topic: 't', partition: 0, from: 0, to: 1, note: 'observe:v3', redelivered: false } as Batch
  const changes = gatheredChanges(1)
  for (const change of applied.changes) changes.push(change)
  return write(memory, batch, { ...applied, changes, entities: null })
}

test('tables that do not depend on each other are stored side by side, and the entities after all of them', async () => {
  const { store, events, held } = heldStore()
  const written = writing(store)
  await expect.poll(() => events.length).toBe(5)
  expect(events.slice(2)).toEqual(SIDE_BY_SIDE.map((table) => `${table} begins`))
  for (const table of SIDE_BY_SIDE) held[table].resolve()
  await written
  expect(events.at(-2)).toBe('entities begins')
  for (const table of SIDE_BY_SIDE)
    expect(events.indexOf(`${table} ends`)).toBeLessThan(events.indexOf('entities begins'))
})

test('when one of them fails the others are waited for, and no entities are stored', async () => {
  const { store, events, held } = heldStore()
  let ended = false
  const written = writing(store).finally(() => {
    ended = true
  })
  written.catch(() => undefined)
  await expect.poll(() => events.length).toBe(5)
  held.history.reject(new Error('the disk is full'))
  held.associations.resolve()
  await expect.poll(() => events.at(-1)).toBe('associations ends')
  expect(ended).toBe(false)
  held.counts.resolve()
  await expect(written).rejects.toThrow('the disk is full')
  expect(events).toContain('counts ends')
  expect(events).not.toContain('entities begins')
})

test('what a change names is stored before it is sent, and is not sent when it could not be', async () => {
  const link: Link = { mode: 'association', entityId: 'domain-'.padEnd(71, '0'), relationship: null }
  for (const fails of [false, true]) {
    const { store, events, held } = heldStore()
    const written = writing(store, [link], async () => void events.push('changes sent'))
    written.catch(() => undefined)
    for (const table of ['history', 'counts'] as const) held[table].resolve()
    await expect.poll(() => events).toContain('counts ends')
    expect(events).not.toContain('changes sent')
    if (fails) held.associations.reject(new Error('the disk is full'))
    else held.associations.resolve()
    await (fails ? expect(written).rejects.toThrow('the disk is full') : written)
    const sent = events.indexOf('changes sent')
    expect(sent > events.indexOf('associations ends')).toBe(!fails)
    expect(events.includes('entities begins')).toBe(!fails)
  }
})
