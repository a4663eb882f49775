/** Membership of customers: which role may change which member (specification 2.8, 3.2, 4.4; decisions 6.6). Pure. */

/** Highest first. Legacy clients say the position instead of the word. */
export const MEMBER_ROLES = ['owner', 'admin', 'user'] as const
export type MemberRole = (typeof MEMBER_ROLES)[number]

/** The role behind a word or a legacy integer (0 owner, 1 admin, 2 user). */
export const memberRole = (given: MemberRole | 0 | 1 | 2): MemberRole =>
  typeof given === 'number' ? MEMBER_ROLES[given] : given

const outranks = (a: MemberRole, b: MemberRole): boolean => MEMBER_ROLES.indexOf(a) < MEMBER_ROLES.indexOf(b)

/** What a member asks to have done to a target; who leaves is its own target. */
export type MemberChange =
  | { kind: 'add' | 'set'; role: MemberRole }
  | { kind: 'remove' }
  | { kind: 'transfer' }
  | { kind: 'leave' }

/** How things stand in the customer of the caller at the moment of the change. */
export type TeamFacts = {
  /** null: the caller belongs to no customer. */
  caller: MemberRole | null
  /** null: the target is no member of that customer, and not invited by its id. */
  target: MemberRole | null
  /** The target has not accepted its membership; absent: it has, or has none. */
  invited?: boolean
  /** Caller and target are one. */
  own: boolean
  owners: number
}

export type TeamRefusal =
  | 'no_customer'
  | 'not_permitted'
  | 'may_not_grant'
  | 'outranked'
  | 'own_role'
  | 'own_transfer'
  | 'owner_not_assignable'
  | 'already_member'
  | 'not_a_member'
  | 'last_owner'
  | 'unknown_user'

/**
 * Why the change must not happen, or null. What the caller's role forbids comes before what is wrong with the request,
 * except that callers need no permission for their own membership. A customer keeps its last owner.
 */
export function teamRefusal(change: MemberChange, facts: TeamFacts): TeamRefusal | null {
  const { caller, target, own, invited = false } = facts
  // There is a 404 (specification 7.2) for a caller without a customer where it reads, changes a role or transfers.
  if (caller === null) return change.kind === 'add' || change.kind === 'remove' ? 'not_permitted' : 'no_customer'
  const lastOwner = target === 'owner' && !invited && facts.owners <= 1 ? 'last_owner' : null
  if (change.kind === 'leave') return lastOwner
  if (change.kind === 'transfer') {
    if (caller !== 'owner') return 'not_permitted'
    if (own) return 'own_transfer'
    // A customer is never left to somebody who has not said yes.
    return target === null || invited ? 'not_a_member' : null
  }
  if (caller === 'user') return 'not_permitted'
  if (change.kind === 'add') return grantRefusal(caller, change.role) ?? (target === null ? null : 'already_member')
  if (change.kind === 'set') {
    const refused = own ? 'own_role' : grantRefusal(caller, change.role)
    if (refused !== null) return refused
  }
  if (target === null) return 'not_a_member'
  return outranks(target, caller) ? 'outranked' : lastOwner
}

/** An admin grants `user` alone; `owner` is never granted, only transferred. */
function grantRefusal(caller: 'owner' | 'admin', role: MemberRole): TeamRefusal | null {
  if (caller === 'admin' && role !== 'user') return 'may_not_grant'
  return role === 'owner' ? 'owner_not_assignable' : null
}
