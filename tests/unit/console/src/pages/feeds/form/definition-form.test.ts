import { expect, test } from 'vitest'
import { Problem } from '../../../../../../../console/src/api/problem.ts'
import type { Feed } from '../../../../../../../console/src/pages/feeds/feed.ts'
import {
  changesOf,
  definitionOf,
  feedFields,
} from '../../../../../../../console/src/pages/feeds/form/definition-form.ts'
import { faultsOf } from '../../../../../../../console/src/pages/feeds/form/field-faults.ts'
import { guardText, heldBecause, stepText } from '../../../../../../../console/src/pages/feeds/guard-text.ts'
import { DEFAULT_GUARD } from '../../../../../../../schemas/feeds-out/feed.ts'

const feed: Feed = {
  id: 'a4c8c5a6-0d3a-4c1e-9f0e-5a3f9f4b7c11',
  name: 'Edge',
  description: 'for the edge',
  selector: { types: ['ip'], wellKnown: false },
  groups: ['public'],
  open: false,
  cap: 500,
  guard: { loss: 0.07, gain: 2.5, from: 10 },
  state: 'live',
  items: 5,
  sequence: 5,
  createdAt: '2026-11-25T00:00:00.000Z',
  updatedAt: '2026-11-25T00:00:00.000Z',
}

test('the form of a feed begins with all that it has, and sends nothing that nobody touched', () => {
  const fields = feedFields(feed)
  expect(fields).toMatchObject({ description: 'for the edge', cap: 500, guarded: true, loss: 7, gain: 2.5, from: 10 })
  expect(changesOf(feed, fields)).toEqual({})
  expect(changesOf(feed, { ...fields, name: 'Core' })).toEqual({ name: 'Core' })
  expect(changesOf(feed, { ...fields, cap: '' })).toEqual({ cap: null })
  expect(changesOf(feed, { ...fields, gain: 3 })).toEqual({ guard: { loss: 0.07, gain: 3, from: 10 } })
  expect(changesOf(feed, { ...fields, guarded: false })).toEqual({ guard: null })
  expect(changesOf({ ...feed, guard: null }, { ...feedFields({ ...feed, guard: null }), name: 'x' })).toEqual({
    name: 'x',
  })
})

test('a new feed begins with the guard of the platform, and empty numbers of it are as by default', () => {
  expect(definitionOf(feedFields()).guard).toEqual(DEFAULT_GUARD)
  expect(definitionOf({ ...feedFields(), loss: '', gain: '', from: '' }).guard).toEqual(DEFAULT_GUARD)
})

test('a guard and a step that it held are said with their numbers', () => {
  expect(guardText(null)).toMatch(/^Off/)
  expect(guardText(feed.guard)).toBe(
    'A change within a minute that would remove more than 7% of the list, or make it more than 2.5 times as long, is held until it is released. Lists of fewer than 10 items are not checked.',
  )
  expect(guardText({ loss: 1, gain: 4, from: 0 })).not.toContain('not checked')
  expect(stepText({ now: 1_000, would: 50 })).toBe('It would lose 950 items (95% of the list): from 1,000 to 50.')
  expect(stepText({ now: 0, would: 7 })).toBe('It would gain 7 items: from 0 to 7.')
  expect(stepText({ now: 5, would: 5 })).toContain('still have 5 items')
  expect(heldBecause(feed.guard, { now: 1_000, would: 50 })).toContain('guard')
  expect(heldBecause(feed.guard, { now: 1_000, would: 2_501 })).toContain('guard')
  expect(heldBecause(feed.guard, { now: 1_000, would: 999 })).toContain('by hand')
  expect(heldBecause(null, { now: 1_000, would: 0 })).toContain('by hand')
})

test('a refusal stands at the field that it is about, without the name of the parameter', () => {
  const refusal = (param: string | null, status = 400) =>
    faultsOf(new Problem(`${param}: is wrong`, { status, param, code: 'invalid_parameter' }))
  expect(refusal('selector.seenWithin')).toEqual({ seenWithin: 'is wrong' })
  expect(refusal('selector.types[1]')).toEqual({ types: 'entry 2: is wrong' })
  expect(refusal('selector.reputation')).toEqual({ best: 'is wrong' })
  expect(refusal('selector.reputation.gte')).toEqual({ worst: 'is wrong' })
  expect(refusal('guard.loss')).toEqual({ loss: 'is wrong' })
  expect(refusal('groups[0]', 403)).toEqual({ groups: 'entry 1: is wrong' })
  expect(refusal('names')).toEqual({})
  expect(refusal(null)).toEqual({})
  expect(refusal('name', 500)).toEqual({})
  expect(faultsOf(null)).toEqual({})
})
