/** Changes of a user by the administration. */

import type { Kysely } from 'kysely'
import type { Cause } from '../../../../schemas/accounts/lifecycle.ts'
import { detail } from '../../../../schemas/audit/details.ts'
import { aboutActions, type DoneAction } from '../../core/port.ts'
import { storeEntries } from '../../operation/audit-store.ts'
import type { AppendEvents } from '../../operation/outbox-store.ts'
import type { Tables } from '../../tables/tables.ts'
import { acceptedMemberships } from '../team/memberships.ts'
import type { User, UserChange } from './port.ts'
import { userOf } from './user-rows.ts'

/**
 * The user after the change, null for none. Disabling one that was not disabled writes its event with it. What it changes
 * is told to the audit log thing by thing; what changes nothing is neither written nor told (decisions 16.2).
 */
export const updateUser = (
  db: Kysely<Tables>,
  append: AppendEvents,
  id: string,
  { addRole, removeRole, ...change }: UserChange,
  cause: Cause,
): Promise<User | null> =>
  db.transaction().execute(async (tx) => {
    const old = await tx.selectFrom('users').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
    if (old === undefined) return null
    const roles = changedRoles(change.roles ?? old.roles, addRole, removeRole)
    const set = { ...change, ...(addRole === undefined && removeRole === undefined ? {} : { roles }) }
    const actions = changesOf(old, set)
    if (actions.length === 0) return userOf(old)
    const entries = aboutActions(actions)
    // Column by column: a statement that returns all of them is never prepared (prepared-names.ts).
    const columns = Object.keys(old) as (keyof typeof old)[]
    const query = tx.updateTable('users').set(set).where('id', '=', id).returning(columns)
    const changed = await query.executeTakeFirstOrThrow()
    if (entries.length > 0) await storeEntries(tx)(entries)
    if (changed.disabled && !old.disabled) {
      const membership = await acceptedMemberships(tx)
        .select('customer_id')
        .where('user_id', '=', id)
        .executeTakeFirst()
      const subject = { userID: id, customerID: membership?.customer_id ?? null }
      await append(tx, [
        { id: cause.id, type: 'user.disabled', time: cause.now, actor: cause.actor, subject, data: {} },
      ])
    }
    return userOf(changed)
  })

const changedRoles = (roles: readonly string[], add?: string, remove?: string): string[] => {
  const left = roles.filter((role) => role !== remove)
  return add === undefined || left.includes(add) ? left : [...left, add]
}

type Changing = { roles?: readonly string[]; groups?: readonly string[]; disabled?: boolean }

/** What the audit log calls each part of a change, and which roles or groups it is about. */
function changesOf(old: Required<Changing>, set: Changing): DoneAction[] {
  const without = (all: readonly string[], known: readonly string[]) =>
    [...new Set(all)].filter((one) => !known.includes(one))
  const { roles = old.roles, groups = old.groups, disabled = old.disabled } = set
  const about = (action: string, ...details: DoneAction['details'][]): DoneAction[] =>
    details.every(({ length }) => length === 0) ? [] : [{ action, details: details.flat() }]
  return [
    ...about('role.take', detail('roles', without(old.roles, roles))),
    ...about('role.give', detail('roles', without(roles, old.roles))),
    ...about(
      'groups.change',
      detail('given', without(groups, old.groups)),
      detail('taken', without(old.groups, groups)),
    ),
    ...(disabled === old.disabled ? [] : [{ action: disabled ? 'user.disable' : 'user.enable', details: [] }]),
  ]
}
