import { expect, test } from 'vitest'
import { isHandled } from '../../../../schemas/casework/triage.ts'

const handled = (reputation: number) => ({ handled: { at: 0, by: 'u', reputation } })

test('an entity stays handled until its score is worse than the one that was seen', () => {
  expect([-3, -2, -1, 3].map((now) => isHandled(handled(-2), now))).toEqual([false, true, true, true])
  expect(isHandled({ handled: null }, 3)).toBe(false)
})
