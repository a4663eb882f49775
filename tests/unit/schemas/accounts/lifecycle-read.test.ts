import { expect, test } from 'vitest'
import type { LifecycleRecord } from '../../../../schemas/accounts/lifecycle.ts'
import { readLifecycle } from '../../../../schemas/accounts/lifecycle-read.ts'

const [ID, USER, CUSTOMER] = [1, 2, 3].map((n) => `0191f2aa-0000-7000-8000-00000000000${n}`) as [string, string, string]

const record = (type: string, data: unknown, given: Partial<LifecycleRecord> = {}): LifecycleRecord => ({
  id: ID,
  type,
  time: 7,
  actor: { userID: null, kind: 'system' },
  subject: { userID: USER, customerID: CUSTOMER },
  data: typeof data === 'string' ? data : JSON.stringify(data),
  ...given,
})

test('an event reads back as it was written', () => {
  const data = { memberships: [{ customerID: CUSTOMER, role: 'owner' }] }
  expect(readLifecycle(record('user.deleted', data))).toEqual({
    ok: true,
    event: { ...record('user.deleted', data), data },
  })
})

test('a type of a newer version is passed over, one named like a part of an object too', () => {
  for (const type of ['user.renamed', 'toString', '__proto__'])
    expect(readLifecycle(record(type, 'not even JSON'))).toEqual({ ok: true, event: null })
})

const noUser = { subject: { userID: null, customerID: CUSTOMER } }
const noCustomer = { subject: { userID: USER, customerID: null } }
const refused: [name: string, given: LifecycleRecord, says: string][] = [
  ['an id that is none', record('user.disabled', {}, { id: 'e1' }), 'id is not a UUID'],
  ['data that is no JSON', record('user.disabled', '{'), 'user.disabled: data'],
  ['a deleted user that nobody names', record('user.deleted', { memberships: [] }, noUser), 'subject/userID'],
  [
    'a deleted customer that nobody names',
    record('customer.deleted', { reason: 'owner' }, noCustomer),
    'subject/customerID',
  ],
  ['an unknown reason', record('customer.deleted', { reason: 'whim' }), 'data/reason'],
  [
    'a membership without a role',
    record('user.deleted', { memberships: [{ customerID: CUSTOMER }] }),
    'data/memberships/0',
  ],
  [
    'a subscription that is worth nothing known',
    record('subscription.changed', { tier: 'Pro' }),
    'subscription.changed: data',
  ],
]
for (const [name, given, says] of refused)
  test(`${name} is refused, and named`, () => {
    const read = readLifecycle(given)
    expect(read).toMatchObject({ ok: false, reason: expect.stringContaining(says) })
  })
