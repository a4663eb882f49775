/** The tables of specification 6, row by row. */

import { expect, test } from 'vitest'
import { type BillingAction, billingAction } from '../../../../../pipelines/jobs/accounts/handlers/billing-handler.ts'
import { caseworkActions } from '../../../../../pipelines/jobs/accounts/handlers/casework-handler.ts'
import { computeActions } from '../../../../../pipelines/jobs/accounts/handlers/compute.ts'
import { matchHandler } from '../../../../../pipelines/jobs/accounts/handlers/match-handler.ts'
import type { LifecycleEvent, LifecycleType } from '../../../../../schemas/accounts/lifecycle.ts'
import type { MemberRole } from '../../../../../schemas/accounts/team.ts'

const [U, A, B, C] = ['user', 'acme', 'beta', 'core']

const roles: [role: MemberRole, otherOwners: number, want: BillingAction][] = [
  ['owner', 1, 'remove the role'],
  ['owner', 2, 'remove the role'],
  ['owner', 0, 'end the customer'],
  ['admin', 0, 'remove the role'],
  ['admin', 1, 'remove the role'],
  ['user', 0, 'remove the role'],
  ['user', 1, 'remove the role'],
]
for (const [role, others, want] of roles)
  test(`a deleted ${role} beside ${others} other owners: ${want}`, () => {
    expect(billingAction({ customerID: A, role }, others)).toBe(want)
  })

const worth = (max_instances: number) => ({ max_instances })
const changed = (from: number, to: number) => ({
  tier: 'Pro',
  quantity: 1,
  oldTier: 'Pro',
  oldQuantity: 2,
  effective: worth(to),
  oldEffective: worth(from),
})

function event(type: LifecycleType, data: object = {}): LifecycleEvent {
  const subject = { userID: type.startsWith('user') ? U : null, customerID: A }
  return { id: 'e', type, time: 0, actor: { userID: null, kind: 'system' }, subject, data } as LifecycleEvent
}
const deleted = event('user.deleted', { memberships: [{ customerID: A, role: 'user' }] })
const ofUser = (customerId: string) => ({ does: 'delete of user', customerId, userId: U })
const shrunk = (cap: number) => [{ does: 'shrink', customerId: A, cap }]

const compute: { name: string; given: LifecycleEvent; customers?: string[]; cap?: number | null; want: object[] }[] = [
  { name: 'a deleted user: its own instances where it was a member', given: deleted, want: [ofUser(A)] },
  { name: 'and where it had left some', given: deleted, customers: [C, B, A], want: [ofUser(A), ofUser(B), ofUser(C)] },
  {
    name: 'a deleted user without a customer: nothing',
    given: event('user.deleted', { memberships: [] }),
    want: [],
  },
  {
    name: 'a disabled user: what runs is stopped',
    given: event('user.disabled'),
    want: [{ does: 'stop running', userId: U }],
  },
  {
    name: 'a deleted customer: every instance',
    given: event('customer.deleted', { reason: 'owner' }),
    want: [{ does: 'delete of customer', customerId: A }],
  },
  {
    name: 'a cancelled subscription: every instance',
    given: event('subscription.cancelled', changed(5, 0)),
    cap: 0,
    want: [{ does: 'delete of customer', customerId: A }],
  },
  {
    name: 'a smaller subscription: what is above it',
    given: event('subscription.changed', changed(10, 5)),
    cap: 5,
    want: shrunk(5),
  },
  { name: 'to none', given: event('subscription.changed', changed(10, 0)), cap: 0, want: shrunk(0) },
  { name: 'from no bound to one', given: event('subscription.changed', changed(-1, 5)), cap: 5, want: shrunk(5) },
  { name: 'an equal subscription: nothing', given: event('subscription.changed', changed(5, 5)), cap: 5, want: [] },
  { name: 'a larger subscription: nothing', given: event('subscription.changed', changed(5, 10)), cap: 10, want: [] },
  { name: 'to no bound: nothing', given: event('subscription.changed', changed(5, -1)), cap: -1, want: [] },
  { name: 'from no bound to none: nothing', given: event('subscription.changed', changed(-1, -1)), cap: -1, want: [] },
  {
    name: 'a smaller one that was enlarged again meanwhile: only what is above the larger',
    given: event('subscription.changed', changed(10, 2)),
    cap: 7,
    want: shrunk(7),
  },
  {
    name: 'a smaller one that has no bound any more: nothing',
    given: event('subscription.changed', changed(10, 2)),
    cap: -1,
    want: [],
  },
  {
    name: 'a smaller one, and smaller still meanwhile: its own event says so',
    given: event('subscription.changed', changed(10, 5)),
    cap: 2,
    want: shrunk(5),
  },
  {
    name: 'a smaller one of a customer that is gone: nothing',
    given: event('subscription.changed', changed(10, 5)),
    cap: null,
    want: [],
  },
]
for (const { name, given, customers = [], cap = null, want } of compute)
  test(`compute: ${name}`, () => {
    expect(computeActions(given, { customers, cap })).toEqual(want)
  })

const casework: { name: string; given: LifecycleEvent; customers?: string[]; want: object[] }[] = [
  { name: 'a deleted user: its own rows', given: deleted, want: [ofUser(A)] },
  { name: 'and where it had left some', given: deleted, customers: [B], want: [ofUser(A), ofUser(B)] },
  {
    name: 'a deleted customer: every row',
    given: event('customer.deleted', { reason: 'admin' }),
    want: [{ does: 'delete of customer', customerId: A }],
  },
  { name: 'a disabled user: nothing', given: event('user.disabled'), want: [] },
  { name: 'a smaller subscription: nothing', given: event('subscription.changed', changed(5, 1)), want: [] },
  { name: 'a cancelled subscription: nothing', given: event('subscription.cancelled', changed(5, 0)), want: [] },
]
for (const { name, given, customers = [], want } of casework)
  test(`casework: ${name}`, () => {
    expect(caseworkActions(given, customers)).toEqual(want)
  })

const match: { name: string; given: LifecycleEvent; want: string[] }[] = [
  { name: 'a deleted user: its own settings', given: deleted, want: [`user:${U}`] },
  {
    name: 'a deleted customer: its settings',
    given: event('customer.deleted', { reason: 'admin' }),
    want: [`customer:${A}`],
  },
  { name: 'a disabled user: nothing', given: event('user.disabled'), want: [] },
  { name: 'a cancelled subscription: nothing', given: event('subscription.cancelled', changed(5, 0)), want: [] },
]
for (const { name, given, want } of match)
  test(`match: ${name}`, async () => {
    const removed: string[] = []
    await matchHandler({ remove: async (owner) => void removed.push(owner) }).before!(given)
    expect(removed).toEqual(want)
  })
