import { expect, test } from 'vitest'
import type { Described } from '../../../../connectors/history/port.ts'
import { undescribedOf } from '../../../../pipelines/retract/retracted-rows.ts'
import type { EntityState } from '../../../../schemas/intelligence/state/entity-state.ts'
import { HOUR, NOW } from '../../../builders/intelligence/observation.ts'

const row = { version: 7, tags: ['a', 'b'], attributes: { text: 'x' }, attributeTimes: { text: NOW } }
type Attribute = Described['attributes'][number]
const gone = (value: string, at: number, kept: Attribute['kept'] = null): Attribute => ({
  name: 'text',
  kept,
  gone: { value, at },
})
const taken = (tags: string[], ...attributes: Attribute[]) =>
  undescribedOf(row as unknown as EntityState, { entityId: '', audience: 1n, tags, attributes }, HOUR)

test('tags that only reports gave which do not count go, as far as the row has them', () => {
  expect(taken(['b', 'z'])).toEqual({ version: 7, tags: ['b'], attributes: {} })
  expect(taken(['z'])).toBeNull()
})

test.each([
  ['goes without another report', gone('x', NOW), { text: null }],
  ['becomes what another report gives', gone('x', NOW, { value: 'y', at: 5 }), { text: { value: 'y', at: 5 } }],
  ['goes when a repeat refreshed it within the hour', gone('x', NOW - HOUR), { text: null }],
])('an attribute %s', (_, attribute, attributes) => {
  expect(taken([], attribute)).toEqual({ version: 7, tags: [], attributes })
})

test.each([
  ['another report gives the same', gone('x', NOW, { value: 'x', at: 5 })],
  ['the row has another value', gone('z', NOW)],
  ['it was stated again later', gone('x', NOW - HOUR - 1)],
  ['it is older than the report', gone('x', NOW + 1)],
])('an attribute stays when %s', (_, attribute) => {
  expect(taken([], attribute)).toBeNull()
})
