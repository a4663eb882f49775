/** Triage as SQL: every question names the owner. */

import { type Kysely, type Selectable, sql } from 'kysely'
import type { SeenEntity, TriageChange, TriageOwner, TriageState } from '../../../schemas/casework/triage.ts'
import { holdMember, Refused, refusable } from '../accounts/plan/member-quotas.ts'
import { acceptedMemberships } from '../accounts/team/memberships.ts'
import type { Tables } from '../tables/all-tables.ts'
import type { CaseworkTables } from '../tables/casework-tables.ts'
import { forgetTriage } from './forget-triage.ts'
import type { Triage, TriageActor } from './port.ts'

type Row = Selectable<CaseworkTables['casework_triage']>

export function kyselyTriage(db: Kysely<Tables>): Triage {
  return {
    of: (owner, entityIds) => statesOf(db, owner, entityIds),

    change: (actor, entities, change, now) =>
      refusable<TriageState[], 'no member' | 'no assignee'>(db, async (tx) => {
        await holdActor(tx, actor)
        if (change.assignee !== undefined && change.assignee !== null)
          await checkAssignee(tx, actor.owner, change.assignee)
        await store(tx, actor, entities, change, now)
        await forgetTriage(tx, actor.owner, now)
        return statesOf(
          tx,
          actor.owner,
          entities.map(({ id }) => id),
        )
      }),

    async members(owner) {
      const rows = await membersOf(db, owner).execute()
      return rows.map(({ id, name }) => ({ userId: id, name }))
    },
  }
}

/** The actor stays a member, or a user, until the transaction ends. Throws Refused. */
async function holdActor(tx: Kysely<Tables>, { owner, userId, hasRow }: TriageActor): Promise<void> {
  if (owner.kind === 'customer') return holdMember(tx, { customerId: owner.id, userId })
  if (!hasRow) return
  const user = await tx.selectFrom('users').select('id').where('id', '=', userId).forKeyShare().executeTakeFirst()
  if (user === undefined) throw new Refused('no member')
}

/** Only a member of the customer, or the user itself, can be assigned to. Throws Refused. */
async function checkAssignee(tx: Kysely<Tables>, owner: TriageOwner, assignee: string): Promise<void> {
  if (owner.kind === 'user') {
    if (assignee !== owner.id) throw new Refused('no assignee')
    return
  }
  const member = await acceptedMemberships(tx)
    .select('id')
    .where('customer_id', '=', owner.id)
    .where('user_id', '=', assignee)
    .executeTakeFirst()
  if (member === undefined) throw new Refused('no assignee')
}

/** Lays the change over what is there. In the order of the ids, so that two never wait for each other in a circle. */
async function store(
  tx: Kysely<Tables>,
  { owner, userId }: TriageActor,
  entities: readonly SeenEntity[],
  { handled, assignee, note }: TriageChange,
  now: number,
): Promise<void> {
  const at = new Date(now)
  const rows = entities.map(({ id, reputation }) => ({
    owner_kind: owner.kind,
    owner_id: owner.id,
    entity_id: id,
    handled_at: handled === true ? at : null,
    handled_by: handled === true ? userId : null,
    handled_reputation: handled === true ? reputation : null,
    assignee: assignee ?? null,
    note: note ?? '',
    updated_at: at,
  }))
  const changed: (keyof Row)[] = [
    ...(handled === undefined ? [] : (['handled_at', 'handled_by', 'handled_reputation'] as const)),
    ...(assignee === undefined ? [] : (['assignee'] as const)),
    ...(note === undefined ? [] : (['note'] as const)),
    'updated_at',
  ]
  await tx
    .insertInto('casework_triage')
    .values(rows.toSorted((a, b) => (a.entity_id < b.entity_id ? -1 : 1)))
    .onConflict((known) =>
      known
        .columns(['owner_kind', 'owner_id', 'entity_id'])
        .doUpdateSet(Object.fromEntries(changed.map((column) => [column, sql.ref(`excluded.${column}`)]))),
    )
    .execute()
}

async function statesOf(db: Kysely<Tables>, owner: TriageOwner, ids: readonly string[]): Promise<TriageState[]> {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('casework_triage')
    .selectAll()
    .where('owner_kind', '=', owner.kind)
    .where('owner_id', '=', owner.id)
    .where('entity_id', 'in', ids)
    .orderBy('entity_id')
    .execute()
  return rows.map(stateOf)
}

const stateOf = (row: Row): TriageState => ({
  entityId: row.entity_id,
  handled:
    row.handled_at === null
      ? null
      : { at: row.handled_at.getTime(), by: row.handled_by!, reputation: row.handled_reputation! },
  assignee: row.assignee,
  note: row.note,
  updatedAt: row.updated_at.getTime(),
})

/** Members whose names are asked for at once. */
const MAX_MEMBERS = 1_000

/** Those who have accepted, by alias, name or verified address (ADR 276); of a user without a customer itself. */
function membersOf(db: Kysely<Tables>, { kind, id }: TriageOwner) {
  const called = sql<string | null>`coalesce(nullif(users.alias, ''), nullif(users.full_name, ''), emails.address)`
  const name = sql<string>`coalesce(${called}, '')`
  return db
    .selectFrom('users')
    .leftJoin('memberships', (join) =>
      join
        .onRef('memberships.user_id', '=', 'users.id')
        .on('memberships.customer_id', '=', id)
        .on('memberships.accepted_at', 'is not', null),
    )
    .leftJoin('emails', (join) =>
      join
        .onRef('emails.user_id', '=', 'users.id')
        .on('emails.verified', '=', true)
        .on(sql`lower(emails.address)`, '=', sql`lower(users.email)`),
    )
    .where(kind === 'user' ? 'users.id' : 'memberships.customer_id', '=', id)
    .select(['users.id', name.as('name')])
    .orderBy(name)
    .orderBy('users.id')
    .limit(MAX_MEMBERS)
}
