/** Membership as a map, and random operations on it beside the store: each must be taken or refused by both. */

import { randomUUIDv7 } from 'node:crypto'
import fc from 'fast-check'
import { expect } from 'vitest'
import { MEMBER_ROLES, type MemberChange, type MemberRole } from '../../../schemas/accounts/team.ts'
import { newUser } from '../../builders/accounts/accounts.ts'
import { newCustomer, type People } from '../../builders/accounts/team.ts'
import { cause } from '../../builders/lifecycle/events.ts'
import { handlersOver } from '../../builders/lifecycle/handlers.ts'

export const SLOTS = 6

type Membership = { customer: string; role: MemberRole }

/**
 * People are numbered: a number whose account was deleted is given to a new one. `invited`: what waits for each, which
 * gives nothing.
 */
export type Model = { members: Map<number, Membership>; invited: Map<number, Membership[]> }

export const newModel = (): Model => ({ members: new Map(), invited: new Map() })

const waitingOf = ({ invited }: Model, user: number, customer: string | undefined): Membership | undefined =>
  invited.get(user)?.find((one) => one.customer === customer)

/** The membership of a user in a customer, accepted or not. */
const listedIn = (model: Model, user: number, customer: string | undefined): Membership | undefined => {
  const own = model.members.get(user)
  return own !== undefined && own.customer === customer ? own : waitingOf(model, user, customer)
}

const forget = ({ invited }: Model, user: number, customer: string): void => {
  invited.set(
    user,
    (invited.get(user) ?? []).filter((one) => one.customer !== customer),
  )
}
export type Real = People & {
  handlers: ReturnType<typeof handlersOver>
  ids: string[]
  operations: number
  taken: number
}

export async function newReal(people: People): Promise<Real> {
  await people.db.deleteFrom('customers').execute()
  await people.db.deleteFrom('users').execute()
  const ids = await Promise.all(Array.from({ length: SLOTS }, () => account(people)))
  return { ...people, handlers: handlersOver(people.db), ids, operations: 0, taken: 0 }
}

export async function account({ accounts }: People): Promise<string> {
  const user = newUser()
  await accounts.createUser(user)
  return user.id
}

type Operation = (model: Model, real: Real) => Promise<{ expected: boolean; took: boolean }>

const operation = (name: string, run: Operation): fc.AsyncCommand<Model, Real> => ({
  check: () => true,
  toString: () => name,
  async run(model, real) {
    const { expected, took } = await run(model, real)
    real.operations++
    if (took) real.taken++
    expect(took, `${name} was ${took ? 'taken' : 'refused'}`).toBe(expected)
    expect(await stored(real)).toEqual(memberships(model, real))
  },
})

const memberships = ({ members, invited }: Model, { ids }: Real): string[] => {
  const line = (user: number, { customer, role }: Membership) => `${ids[user]} ${customer} ${role}`
  const waiting = [...invited].flatMap(([user, all]) => all.map((one) => `${line(user, one)} waits`))
  return [...[...members].map(([user, one]) => line(user, one)), ...waiting].sort()
}

async function stored({ db }: Real): Promise<string[]> {
  const rows = await db.selectFrom('memberships').select(['user_id', 'customer_id', 'role', 'accepted_at']).execute()
  const customers = await db.selectFrom('customers').select('id').execute()
  const owned = new Set(rows.filter(({ role }) => role === 'owner').map((row) => row.customer_id))
  expect(customers.filter(({ id }) => !owned.has(id))).toEqual([])
  return rows
    .map((row) => `${row.user_id} ${row.customer_id} ${row.role}${row.accepted_at === null ? ' waits' : ''}`)
    .sort()
}

const isLastOwner = ({ members }: Model, user: number): boolean => {
  const own = members.get(user)
  if (own?.role !== 'owner') return false
  return [...members.values()].filter((m) => m.customer === own.customer && m.role === 'owner').length === 1
}

const changeMember = (real: Real, caller: number, target: number, change: MemberChange) =>
  real.team.change({ caller: real.ids[caller]!, target: real.ids[target]!, change, membershipId: randomUUIDv7() })

const create = (user: number) =>
  operation(`${user} creates a customer`, async ({ members, invited }, real) => {
    const customer = newCustomer(real.ids[user]!)
    const took = (await real.team.createCustomer(customer)) === null
    const expected = !members.has(user)
    if (expected) {
      members.set(user, { customer: customer.id, role: 'owner' })
      invited.delete(user)
    }
    return { expected, took }
  })

const add = (caller: number, target: number, role: MemberRole) =>
  operation(`${caller} adds ${target} as ${role}`, async (model, real) => {
    const took = (await changeMember(real, caller, target, { kind: 'add', role })) === null
    const by = model.members.get(caller)
    const grants = by?.role === 'owner' ? ['admin', 'user'] : by?.role === 'admin' ? ['user'] : []
    const expected = grants.includes(role) && listedIn(model, target, by!.customer) === undefined
    if (expected) model.invited.set(target, [...(model.invited.get(target) ?? []), { customer: by!.customer, role }])
    return { expected, took }
  })

/** Says yes or no to one of those that wait, or to none. */
const answer = (says: 'accept' | 'decline', user: number, nth: number) =>
  operation(`${user} answers ${says} to the invitation ${nth}`, async (model, real) => {
    const waiting = model.invited.get(user) ?? []
    const given = waiting[nth % Math.max(1, waiting.length)]
    const customer = given?.customer ?? randomUUIDv7()
    const id = real.ids[user]!
    const said = says === 'accept' ? await real.team.accept(id, customer, 1) : await real.team.decline(id, customer)
    const expected = given !== undefined && (says === 'decline' || !model.members.has(user))
    if (expected && says === 'decline') forget(model, user, customer)
    if (expected && says === 'accept') {
      model.members.set(user, given)
      model.invited.delete(user)
    }
    return { expected, took: said === null }
  })

const set = (caller: number, target: number, role: MemberRole) =>
  operation(`${caller} makes ${target} ${role}`, async (model, real) => {
    const took = (await changeMember(real, caller, target, { kind: 'set', role })) === null
    const by = model.members.get(caller)
    const to = listedIn(model, target, by?.customer)
    const expected =
      caller !== target &&
      to !== undefined &&
      ((by?.role === 'owner' && role !== 'owner') || (by?.role === 'admin' && role === 'user' && to.role !== 'owner'))
    if (expected) to!.role = role
    return { expected, took }
  })

const remove = (caller: number, target: number) =>
  operation(`${caller} removes ${target}`, async (model, real) => {
    const took = (await changeMember(real, caller, target, { kind: 'remove' })) === null
    const by = model.members.get(caller)
    const to = listedIn(model, target, by?.customer)
    const may = by?.role === 'owner' || (by?.role === 'admin' && to?.role !== 'owner')
    const isMember = to !== undefined && model.members.get(target) === to
    const expected = may && to !== undefined && !(isMember && isLastOwner(model, target))
    if (expected && isMember) model.members.delete(target)
    else if (expected) forget(model, target, to.customer)
    return { expected, took }
  })

const transfer = (caller: number, target: number) =>
  operation(`${caller} transfers to ${target}`, async ({ members }, real) => {
    const took = (await changeMember(real, caller, target, { kind: 'transfer' })) === null
    const [by, to] = [members.get(caller), members.get(target)]
    const expected = by?.role === 'owner' && caller !== target && to?.customer === by.customer
    if (expected) {
      to!.role = 'owner'
      by!.role = 'admin'
    }
    return { expected, took }
  })

const leave = (user: number) =>
  operation(`${user} leaves`, async (model, real) => {
    const took = (await changeMember(real, user, user, { kind: 'leave' })) === null
    const expected = model.members.has(user) && !isLastOwner(model, user)
    if (expected) model.members.delete(user)
    return { expected, took }
  })

const appoint = (near: number, target: number, role: MemberRole) =>
  operation(`${target} is appointed ${role} beside ${near}`, async ({ members, invited }, real) => {
    const customerId = members.get(near)?.customer ?? randomUUIDv7()
    const given = { customerId, userId: real.ids[target]!, role, membershipId: randomUUIDv7() }
    const took = (await real.team.appoint(given)) === null
    const expected = members.has(near) && !members.has(target)
    if (expected) {
      members.set(target, { customer: customerId, role })
      invited.delete(target)
    }
    return { expected, took }
  })

const erase = (user: number) =>
  operation(`the account of ${user} is deleted`, async (model, real) => {
    const took = await real.offboarding.deleteUser(real.ids[user]!, cause())
    await real.handlers.settle()
    real.ids[user] = await account(real)
    const { members } = model
    const gone = isLastOwner(model, user) ? members.get(user)!.customer : null
    members.delete(user)
    model.invited.delete(user)
    for (const [member, { customer }] of [...members]) if (customer === gone) members.delete(member)
    if (gone !== null) for (const member of model.invited.keys()) forget(model, member, gone)
    return { expected: true, took }
  })

const who = fc.nat({ max: SLOTS - 1 })
const role = fc.constantFrom(...MEMBER_ROLES)

/** Sequences of operations, more that build teams up than that end them. */
export const operations = (maxCommands: number) =>
  fc.commands(
    [
      who.map(create),
      fc.tuple(who, who, role).map(([a, b, c]) => add(a, b, c)),
      fc.tuple(who, who, role).map(([a, b, c]) => add(a, b, c)),
      fc.tuple(who, fc.nat({ max: 3 })).map(([a, n]) => answer('accept', a, n)),
      fc.tuple(who, fc.nat({ max: 3 })).map(([a, n]) => answer('decline', a, n)),
      fc.tuple(who, who, role).map(([a, b, c]) => set(a, b, c)),
      fc.tuple(who, who).map(([a, b]) => remove(a, b)),
      fc.tuple(who, who).map(([a, b]) => transfer(a, b)),
      fc.tuple(who, who, role).map(([a, b, c]) => appoint(a, b, c)),
      fc.tuple(who, who, role).map(([a, b, c]) => appoint(a, b, c)),
      who.map(leave),
      who.map(erase),
    ],
    { maxCommands, size: 'max' },
  )
