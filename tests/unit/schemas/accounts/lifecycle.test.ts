import { expect, test } from 'vitest'
import { type LifecycleEvent, lifecycleKey } from '../../../../schemas/accounts/lifecycle.ts'
import { effective } from '../../../../schemas/accounts/subscription.ts'

const about = (userID: string | null, customerID: string | null) =>
  ({ id: 'e', subject: { userID, customerID } }) as LifecycleEvent

test('events of one customer share a key, whoever of its users they are about', () => {
  expect(lifecycleKey(about('u', 'c'))).toBe('c')
  expect(lifecycleKey(about('u', null))).toBe('u')
  expect(() => lifecycleKey(about(null, null))).toThrow('the event e names neither a user nor a customer')
})

const worth: [name: string, base: number, quantity: number, status: 'active' | 'cancelled', want: number][] = [
  ['the base times the quantity', 5, 3, 'active', 15],
  ['without a bound when the tier has none', -1, 3, 'active', -1],
  ['nothing when the tier has none of it', 0, 3, 'active', 0],
  ['nothing once it is cancelled', 5, 3, 'cancelled', 0],
  ['nothing once it is cancelled, even without a bound', -1, 3, 'cancelled', 0],
]
for (const [name, base, quantity, status, want] of worth)
  test(`a subscription is worth ${name}`, () => {
    expect(effective({ tier: 'Pro', quantity, status }, () => base)).toEqual({ max_instances: want })
  })
