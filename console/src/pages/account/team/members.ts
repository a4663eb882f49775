import { type MemberRole, teamRefusal } from '../../../../../schemas/accounts/team.ts'

export type Member = { userID: string; role: MemberRole }

/** What the caller may do with one member, by the platform's own rules. */
export type MemberActions = { roles: MemberRole[]; remove: boolean; transfer: boolean }

/**
 * @param owners how many owners the team has
 * @param own whether the member is the caller
 */
export function memberActions(caller: MemberRole, member: Member, own: boolean, owners: number): MemberActions {
  const facts = { caller, target: member.role, own, owners }
  const grantable = (['admin', 'user'] as const).filter((role) => teamRefusal({ kind: 'set', role }, facts) === null)
  return {
    // A choice of one that is held already is none.
    roles: grantable.some((role) => role !== member.role) ? grantable : [],
    remove: !own && teamRefusal({ kind: 'remove' }, facts) === null,
    transfer: teamRefusal({ kind: 'transfer' }, facts) === null,
  }
}

/** The roles that the caller may give to a new member. */
export const grantableRoles = (caller: MemberRole): MemberRole[] =>
  (['user', 'admin'] as const).filter(
    (role) => teamRefusal({ kind: 'add', role }, { caller, target: null, own: false, owners: 1 }) === null,
  )

export const isUserId = (text: string): boolean => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text)
