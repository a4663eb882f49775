import { expect, test } from 'vitest'
import { applyBatch } from '../../../../../pipelines/processors/intelligence/apply-batch.ts'
import { presentViews } from '../../../../../pipelines/processors/match/views.ts'
import { BUILT_IN } from '../../../../../schemas/intelligence/scoring/rules.ts'
import type { EntityStates } from '../../../../../schemas/intelligence/state/entity-state.ts'
import { positioned } from '../../../../builders/intelligence/changes.ts'
import { HOUR, NOW } from '../../../../builders/intelligence/observation.ts'

const rules = { dedupeWindow: HOUR, locate: () => ({ country: '', asn: 0, aso: '' }) }
const readerOf = (...groups: string[]) => ({
  key: groups.join(),
  reads: (audience: readonly string[]) => audience.some((group) => groups.includes(group)),
})

test('a reader is shown the rows that it reads, and what was taken back from all of them is retracted', () => {
  const retracted = { from: 0, to: NOW * 2, held: null, described: null }
  const { rows, audiences, states } = applyBatch(
    new Map(),
    positioned([
      { reputation: -3, audience: ['blue'] },
      { reputation: 2, audience: ['red'] },
      { kind: 'retraction', reputation: null, audience: ['red'], retracted },
    ]),
    rules,
  )
  expect(rows.length).toBeGreaterThan(0)
  const [id] = [...states.keys()]
  const views = presentViews([], [...states.values()].flat(), audiences, BUILT_IN)
  expect(views.viewOf(id!, readerOf('blue'))).toMatchObject({ reputation: -3, retracted: false })
  expect(views.viewOf(id!, readerOf('red'))).toMatchObject({ retracted: true })
  expect(views.viewOf(id!, readerOf('blue', 'red'))).toMatchObject({ reputation: -3, retracted: false })
  expect([views.viewOf(id!, readerOf('green')), views.viewOf('ip-0', readerOf('blue'))]).toEqual([null, null])
  // Nothing counts of what was taken back: nobody is told of a sighting by it.
  expect(views.audiencesOf(id!)).toEqual([['blue']])
  expect([views.named(id!), views.named('ip-0')]).toMatchObject([{ type: 'ip', value: '8.8.8.8' }, null])
})

test('the only row of an entity is its view, for those who read it', () => {
  const { audiences, states } = applyBatch(new Map(), positioned([{ reputation: -3, audience: ['blue'] }]), rules)
  const [[id, lone]] = [...states] as [[string, EntityStates]]
  const views = presentViews(lone, [], audiences, BUILT_IN)
  expect(views.viewOf(id, readerOf('blue'))).toMatchObject({ entityId: id, reputation: -3, retracted: false })
  expect(views.viewOf(id, readerOf('red'))).toBeNull()
  expect([views.audiencesOf(id), views.named(id)]).toMatchObject([[['blue']], { type: 'ip', value: '8.8.8.8' }])
})
