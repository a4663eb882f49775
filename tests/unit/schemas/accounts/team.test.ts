import { expect, test } from 'vitest'
import {
  MEMBER_ROLES,
  type MemberChange,
  memberRole,
  type TeamFacts,
  teamRefusal,
} from '../../../../schemas/accounts/team.ts'

test('legacy numbers are the roles from the highest down', () => {
  expect([0, 1, 2].map((n) => memberRole(n as 0 | 1 | 2))).toEqual(['owner', 'admin', 'user'])
  expect(MEMBER_ROLES.map((role) => memberRole(role))).toEqual(['owner', 'admin', 'user'])
})

const ROLES_OR_NONE = [...MEMBER_ROLES, null]
const CHANGES: MemberChange[] = [
  ...MEMBER_ROLES.flatMap((role): MemberChange[] => [
    { kind: 'add', role },
    { kind: 'set', role },
  ]),
  { kind: 'remove' },
  { kind: 'transfer' },
  { kind: 'leave' },
]

/** Every state that a customer with an owner can be in, as one change sees it. */
const facts: TeamFacts[] = ROLES_OR_NONE.flatMap((caller) => [
  ...[1, 2].map((owners) => ({ caller, target: caller, own: true, owners })),
  ...(caller === null ? [null] : ROLES_OR_NONE).flatMap((target) =>
    [1, 2, 3]
      .filter((owners) => owners >= Number(caller === 'owner') + Number(target === 'owner'))
      .map((owners) => ({ caller, target, own: false, owners })),
  ),
])
const every = CHANGES.flatMap((change) => facts.map((at) => ({ change, at })))

/** What specification 3.2, 4.4 allow, rule by rule, without the reasons. */
function allowed(change: MemberChange, { caller, target, own, owners }: TeamFacts): boolean {
  if (caller === null) return false
  const keepsAnOwner = target !== 'owner' || owners > 1
  switch (change.kind) {
    case 'leave':
      return keepsAnOwner
    case 'transfer':
      return caller === 'owner' && !own && target !== null
    case 'remove':
      return caller === 'owner' ? target !== null && keepsAnOwner : caller === 'admin' && !isNoneOr('owner', target)
    case 'set':
      if (own || target === null || change.role === 'owner') return false
      return caller === 'owner' || (caller === 'admin' && change.role === 'user' && target !== 'owner')
    case 'add':
      return (
        target === null && (change.role === 'user' ? caller !== 'user' : change.role === 'admin' && caller === 'owner')
      )
  }
}
const isNoneOr = (role: string, target: string | null) => target === null || target === role

test(`in each of ${every.length} situations what the specification allows is allowed, and nothing else`, () => {
  expect(every.length).toBeGreaterThan(300)
  for (const { change, at } of every) {
    expect([change, at, teamRefusal(change, at) === null]).toEqual([change, at, allowed(change, at)])
  }
})

test('no allowed change takes the last owner', () => {
  for (const { change, at } of every.filter(({ change, at }) => teamRefusal(change, at) === null)) {
    const loses = at.target === 'owner' && ['set', 'remove', 'leave'].includes(change.kind) ? 1 : 0
    expect(at.owners - loses).toBeGreaterThanOrEqual(1)
  }
})

test('what the role of the caller forbids is said before what is wrong with the target', () => {
  const admin = { caller: 'admin', own: false, owners: 1 } as const
  expect(teamRefusal({ kind: 'remove' }, { ...admin, target: 'owner' })).toBe('outranked')
  expect(teamRefusal({ kind: 'set', role: 'user' }, { ...admin, target: 'owner' })).toBe('outranked')
  expect(teamRefusal({ kind: 'add', role: 'admin' }, { ...admin, target: 'user' })).toBe('may_not_grant')
  expect(teamRefusal({ kind: 'transfer' }, { ...admin, target: 'admin', own: true })).toBe('not_permitted')
})
