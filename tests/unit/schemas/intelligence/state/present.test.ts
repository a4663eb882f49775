import { expect, test } from 'vitest'
import { BUILT_IN } from '../../../../../schemas/intelligence/scoring/rules.ts'
import { type PresentRow, presentViews } from '../../../../../schemas/intelligence/state/present.ts'
import { entityRow } from '../../../../builders/intelligence/entity-row.ts'

const row = (given: Partial<PresentRow> = {}): PresentRow =>
  entityRow({ entityId: 'cidr-1', type: 'cidr', value: '8.8.8.0/24', ...given } as object)
const views = (...rows: PresentRow[]) => presentViews(rows, BUILT_IN)

test('a row alone is shown as it is, and nothing of one that was taken back', () => {
  expect(views(row({ covers: true, reputation: 2 }))).toMatchObject([{ covers: true, reputation: 2 }])
  expect(views(row({ retracted: true }))).toEqual([])
  expect(views(row({ retracted: true }), row({ retracted: true, audience: 2n }))).toEqual([])
  expect(views()).toEqual([])
})

test('each entity is folded by itself', () => {
  const other = row({ entityId: 'cidr-2', value: '9.9.9.0/24', tags: ['v'] })
  const found = views(row({ tags: ['t'] }), other, row({ audience: 2n, tags: ['u'] }))
  expect(found.map(({ value, tags }) => [value, ...tags])).toEqual([
    ['8.8.8.0/24', 't', 'u'],
    ['9.9.9.0/24', 'v'],
  ])
})

test('of several rows one that covers is enough, unless it was taken back', () => {
  const several = (retracted: boolean) => [row(), row({ audience: 2n }), row({ audience: 3n, covers: true, retracted })]
  expect(views(...several(false))).toMatchObject([{ covers: true }])
  expect(views(...several(true))).toMatchObject([{ covers: false }])
})
