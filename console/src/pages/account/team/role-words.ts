/** What the roles in a customer allow, in words: docs/administer/teams.md says the same (ADR 276). Pure. */

import {
  MEMBER_ROLES,
  type MemberChange,
  type MemberRole,
  type TeamFacts,
  teamRefusal,
} from '../../../../../schemas/accounts/team.ts'

/** One sentence each. */
export type RoleWords = { allows: string; forbids: string }

export const ROLE_WORDS: Readonly<Record<MemberRole, RoleWords>> = {
  owner: {
    allows: 'An owner does all that an admin does, makes admins, manages the plan, and transfers or deletes the team.',
    forbids: 'The only owner cannot leave, be removed or get another role before there is another owner.',
  },
  admin: {
    allows:
      'An admin does all that a user does, invites users, removes users and admins, makes admins users again, and controls the instances of all members.',
    forbids: 'An admin cannot make admins, change owners, manage the plan or delete the team.',
  },
  user: {
    allows:
      'A user reads and reports the private data of the team, uses its limits and quotas, and has instances and casework of its own.',
    forbids: 'A user cannot invite or remove members, change roles or control instances of others.',
  },
}

/** The table as the roles are ordered, highest first. */
export const roleWords = (): readonly (RoleWords & { role: MemberRole })[] =>
  MEMBER_ROLES.map((role) => ({ role, ...ROLE_WORDS[role] }))

/** Why a change of a member is not possible, for the one who would make it; null: it is possible. */
export function whyNot(change: MemberChange, facts: TeamFacts): string | null {
  const refused = teamRefusal(change, facts)
  if (refused === null) return null
  if (refused === 'last_owner' || (facts.own && facts.target === 'owner' && facts.owners <= 1))
    return facts.own
      ? 'You are the only owner. Transfer the team to another member first, or delete it.'
      : 'This is the only owner. The team has to be transferred first.'
  if (refused === 'own_role') return 'You cannot change your own role: another owner or admin can.'
  if (refused === 'outranked') return 'Only an owner changes an owner.'
  if (refused === 'may_not_grant') return 'Only an owner makes admins.'
  return 'Your role in the team does not allow it.'
}
