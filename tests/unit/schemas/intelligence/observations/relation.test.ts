import { expect, test } from 'vitest'
import { relationId } from '../../../../../schemas/intelligence/observations/relation.ts'

const relation = { mode: 'association', source: `ip-${'1'.repeat(64)}`, target: `ip-${'2'.repeat(64)}` } as const

test('the id of a relation does not change', () => {
  expect(relationId(relation)).toBe('1027d1ac56f4a073cdbf7db2307d8161276eef5129085242d737e972024ba623')
})

test('mode and direction make another relation', () => {
  const others = [
    { ...relation, mode: 'aggregation' as const },
    { ...relation, source: relation.target, target: relation.source },
  ]
  expect(new Set([relation, ...others].map(relationId)).size).toBe(3)
})
