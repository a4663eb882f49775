import { type MemberRole, teamRefusal } from '../../../../../schemas/accounts/team.ts'
import type { Problem } from '../../../api/problem.ts'
import { whyNot } from './role-words.ts'

/** `joinedAt` null: it has not accepted. */
export type Member = { userID: string; role: MemberRole; joinedAt?: string | null }

/** As the platform shows it: the names are null until it has accepted. */
export type NamedMember = Member & {
  fullName: string | null
  alias: string | null
  email: string | null
}

/** What a member is called; its id, if nothing else is known. */
export const memberName = ({ userID, fullName, alias, email }: NamedMember): string =>
  fullName || alias || email || userID

/** What the caller may do with one member, by the platform's own rules. */
export type MemberActions = {
  roles: MemberRole[]
  remove: boolean
  transfer: boolean
  /** Why the role stays as it is, where none can be chosen. */
  fixed: string | null
}

/**
 * @param owners how many owners the team has
 * @param own whether the member is the caller
 */
export function memberActions(caller: MemberRole, member: Member, own: boolean, owners: number): MemberActions {
  const facts = { caller, target: member.role, invited: member.joinedAt === null, own, owners }
  const grantable = (['admin', 'user'] as const).filter((role) => teamRefusal({ kind: 'set', role }, facts) === null)
  // A choice of one that is held already is none.
  const roles = grantable.some((role) => role !== member.role) ? grantable : []
  const other = member.role === 'user' ? 'admin' : 'user'
  return {
    roles,
    fixed: roles.length > 0 ? null : whyNot({ kind: 'set', role: other }, facts),
    remove: !own && teamRefusal({ kind: 'remove' }, facts) === null,
    transfer: teamRefusal({ kind: 'transfer' }, facts) === null,
  }
}

/** The roles that the caller may give to a new member. */
export const grantableRoles = (caller: MemberRole): MemberRole[] =>
  (['user', 'admin'] as const).filter(
    (role) => teamRefusal({ kind: 'add', role }, { caller, target: null, own: false, owners: 1 }) === null,
  )

/** Who a new member is, by what was typed; null: neither an address nor a user id. */
export function newMember(text: string): { email: string } | { userID: string } | null {
  const given = text.trim()
  if (isUserId(given)) return { userID: given }
  return /^[^\s@]+@[^\s@]+$/.test(given) ? { email: given } : null
}

/** Why an invitation or a membership was not accepted, for those reasons that the caller can do something about. */
export function acceptFault({ status, param }: Pick<Problem, 'status' | 'param'>) {
  if (status === 400) return { title: 'You are in another team', text: 'Leave that team, then accept the invitation.' }
  if (status === 404 && param === 'invitation')
    return {
      title: 'This invitation cannot be used',
      text: 'It is for another address, was used or withdrawn, or has expired. Sign in with the address that received the mail, or ask for another invitation.',
    }
  if (status === 404) return { title: 'The invitation was withdrawn', text: 'That team no longer invites you.' }
  return undefined
}

const isUserId = (text: string): boolean => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text)
