import { expect, test } from 'vitest'
import { pauseAfter } from '../../../../pipelines/retract/watch-objects.ts'

test.each([
  { name: 'a short turn', took: 1, want: 3_000 },
  { name: 'a long topic', took: 2_000, want: 20_000 },
  { name: 'a turn that waited for the jobs', took: 120_000, want: 60_000 },
])('the pause after $name', ({ took, want }) => expect(pauseAfter(took)).toBe(want))
