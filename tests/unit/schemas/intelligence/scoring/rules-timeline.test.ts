import { expect, test } from 'vitest'
import { BUILT_IN, readRules } from '../../../../../schemas/intelligence/scoring/rules.ts'
import { isUntouched, rulesAt, timelineOf } from '../../../../../schemas/intelligence/scoring/rules-timeline.ts'

const promoted = (id: string, ...offsets: number[]) => ({
  database: 'harrier_g1',
  rules: id === '' ? '' : JSON.stringify(readRules({ id })),
  at: 0,
  from: offsets.map((offset, partition) => ({ partition, offset })),
})
const timeline = timelineOf([promoted('a', 10, 0), promoted('b', 20, 5), promoted('', 30, 5)])

const cases = [
  { name: 'before the first promotion the built-in ones', partition: 0, offset: 9, want: BUILT_IN.id },
  { name: 'from the very record on', partition: 0, offset: 10, want: 'a' },
  { name: 'up to the record before the next', partition: 0, offset: 19, want: 'a' },
  { name: 'the next from its record on', partition: 0, offset: 20, want: 'b' },
  { name: 'of each partition by its own offset', partition: 1, offset: 0, want: 'a' },
  { name: 'of two promotions without a record between them the later', partition: 1, offset: 5, want: BUILT_IN.id },
  { name: 'the built-in ones again, when these were promoted', partition: 0, offset: 30, want: BUILT_IN.id },
  { name: 'in a partition that came later, those that were promoted last', partition: 7, offset: 0, want: BUILT_IN.id },
]
for (const { name, partition, offset, want } of cases)
  test(`rules hold ${name}`, () => expect(rulesAt(timeline, partition, offset).id).toBe(want))

test('without any promotion the built-in rules hold', () => {
  expect(rulesAt([], 0, 5)).toBe(BUILT_IN)
})

test('a row is untouched by a change of the rules up to the record from which they hold, in its partition', () => {
  const since = [10, 0]
  const untouched = (partition: number, version: number) => isUntouched({ partition, version }, { since })
  expect([untouched(0, 10), untouched(0, 11), untouched(1, 1), untouched(7, 1)]).toEqual([true, false, false, false])
})
