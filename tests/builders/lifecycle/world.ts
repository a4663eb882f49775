/** Plays a history on the product and on the model side by side, with everything that goes wrong on the way. */

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { kyselyInstances } from '../../../connectors/postgres/accounts/instances/instance-store.ts'
import { kyselyTeam } from '../../../connectors/postgres/accounts/team/team-store.ts'
import { kyselyAccounts } from '../../../connectors/postgres/accounts/users/account-store.ts'
import { kyselyAlertStore } from '../../../connectors/postgres/casework/alerts/alert-store.ts'
import { kyselyCasework } from '../../../connectors/postgres/casework/casework-store.ts'
import type { AccountsDatabase } from '../../../connectors/postgres/core/database.ts'
import type { Effects, LifecycleStore } from '../../../connectors/postgres/lifecycle/port.ts'
import type { Handler } from '../../../pipelines/jobs/accounts/handlers/handler.ts'
import { lifecycleJob, retryOnce } from '../../../pipelines/jobs/accounts/lifecycle-job.ts'
import { relayOnce } from '../../../pipelines/jobs/accounts/outbox-relay.ts'
import type { LifecycleEvent } from '../../../schemas/accounts/lifecycle.ts'
import { DEFAULTS } from '../../../schemas/casework/casework.ts'
import { ACCOUNT_LIFECYCLE } from '../../../schemas/log/topics.ts'
import { firedAlert } from '../accounts/casework/fired.ts'
import { type MemoryLog, memoryLog } from '../log/memory-log.ts'
import { watched } from '../platform/fault.ts'
import { append, cause, lifecycleIn } from './events.ts'
import { isFault, lifecycleFaults, PROVIDER_DOWN } from './faults.ts'
import { handlersOver, TIERS } from './handlers.ts'
import { CUSTOMERS, type Operation, type Step, USERS } from './histories.ts'
import { HANDLERS, type HandlerName, lifecycleModel } from './model.ts'
import { addUsers, customerNamed, emptied, state } from './rows.ts'

const NOW = 1_800_000_000_000
/** Longer than any pause between two tries. */
const LONG_MS = 600_001
const MAX_ROUNDS = 100

type Db = AccountsDatabase['db']

/** What a world may have different, to see that it is noticed. */
export type Mutant = {
  store?: (own: LifecycleStore) => LifecycleStore
  effects?: (own: Effects, event: LifecycleEvent) => Effects
  handler?: (own: Handler) => Handler
  createdAt?: (n: number) => number
  send?: (log: MemoryLog['send']) => MemoryLog['send']
}

export type Figures = Record<'operations' | 'taken' | 'events' | 'records' | 'repeated' | 'died' | 'failed', number>

export async function world(
  { db }: { db: Db },
  { log = memoryLog(1), mutant = {} }: { log?: Pick<MemoryLog, 'send' | 'all'>; mutant?: Mutant } = {},
) {
  const model = lifecycleModel()
  const faults = lifecycleFaults()
  const base = log.all(ACCOUNT_LIFECYCLE).length
  const positions: Record<HandlerName, number> = { billing: base, compute: base, casework: base }
  const users = Array.from({ length: USERS }, () => randomUUID())
  const slots: string[] = Array.from({ length: CUSTOMERS }, () => randomUUID())
  const removed = new Set<string>()
  const figures: Figures = { operations: 0, taken: 0, events: 0, records: 0, repeated: 0, died: 0, failed: 0 }
  let providerFails = false
  let inHand: LifecycleEvent | null = null
  let wrong: Error | null = null
  let moment = 0
  const check = (holds: () => void): void => {
    try {
      holds()
    } catch (error) {
      wrong ??= error as Error
    }
  }

  const store = (own: LifecycleStore): LifecycleStore => {
    const mutated = mutant.store?.(own) ?? own
    const noted: LifecycleStore = {
      ...mutated,
      async once(handler, eventId, now, work) {
        inHand = null
        const done = await mutated.once(handler, eventId, now, work)
        const event = inHand
        // What `match` does is on the log alone, and in no model.
        if (done && event !== null && handler !== 'match') check(() => model.handled(handler, event))
        return done
      },
    }
    return watched(noted, ['once', 'waits', 'park', 'postpone', 'due'], faults.point)
  }
  const handlers = (own: Handler[]): Handler[] =>
    own.map((handler) => {
      const mutated = mutant.handler?.(handler) ?? handler
      return {
        ...mutated,
        apply(event, given) {
          inHand = event
          const effects = mutant.effects?.(given, event) ?? given
          return mutated.apply(event, {
            billing: watched(effects.billing, ['otherOwners', 'removeMember', 'end'], faults.point),
            compute: watched(
              effects.compute,
              ['deleteOfUser', 'deleteOfCustomer', 'stopRunningOf', 'shrinkTo'],
              faults.point,
            ),
            casework: watched(effects.casework, ['deleteOfUser', 'deleteOfCustomer'], faults.point),
            facts: watched(effects.facts, ['instanceCustomers', 'caseworkCustomers', 'instanceCap'], faults.point),
          })
        },
      }
    })
  const provider = async (account: string): Promise<void> => {
    faults.point('before remove')
    if (providerFails) {
      providerFails = false
      throw new Error(PROVIDER_DOWN)
    }
    check(() => {
      if (model.owners(customerOf(account)) > 0) throw new Error('the account of a customer with an owner was removed')
    })
    removed.add(account)
    faults.point('after remove')
  }
  const real = handlersOver(db, { log, store, handlers, removed: provider })
  const accounts = kyselyAccounts(db, append)
  const team = kyselyTeam(db)
  const instances = kyselyInstances(db, TIERS)
  const casework = kyselyCasework(db, TIERS)
  const alerts = kyselyAlertStore(db).writer
  const { clock, ledger, ports } = real

  await emptied(db)
  await addUsers(db, users)
  for (const id of users) model.users.set(id, { disabled: false })

  const created = async (user: string, id: string): Promise<boolean> => {
    const took = (await team.createCustomer(customerNamed(id, user, randomUUID()))) === null
    if (took) await ledger.link(id, accountOf(id))
    return took
  }
  const asked = async (caller: string, target: string, change: Parameters<typeof team.change>[0]['change']) =>
    (await team.change({ caller, target, change, membershipId: randomUUID() })) === null

  /** Invited by its id, and accepts; a member of another customer declines. */
  const joined = async (caller: string, target: string, role: 'owner' | 'admin' | 'user'): Promise<boolean> => {
    if (!(await asked(caller, target, { kind: 'add', role }))) return false
    const { customerId } = (await team.membership(caller))!
    const accepted = (await team.accept(target, customerId, Date.now())) === null
    if (!accepted) await team.decline(target, customerId)
    return accepted
  }

  /** What the product and what the model say: taken or not. */
  async function operate(op: Operation): Promise<[boolean, boolean]> {
    const id = randomUUID()
    const why = cause({ id })
    const user = 'user' in op ? users[op.user]! : ''
    const customer = 'slot' in op ? slots[op.slot]! : (model.membership(user)?.customer ?? slots[0]!)
    const [caller, target] = 'target' in op ? ['caller' in op ? users[op.caller]! : '', users[op.target]!] : ['', '']
    switch (op.does) {
      case 'create': {
        if (model.customers.has(customer)) return [false, false]
        const next = randomUUID()
        slots[op.slot] = next
        return [await created(user, next), model.create(user, next)]
      }
      case 'add':
        return [await joined(caller, target, op.role), model.add(caller, target, op.role)]
      case 'set':
        return [await asked(caller, target, { kind: 'set', role: op.role }), model.set(caller, target, op.role)]
      case 'remove':
        return [await asked(caller, target, { kind: 'remove' }), model.remove(caller, target)]
      case 'transfer':
        return [await asked(caller, target, { kind: 'transfer' }), model.transfer(caller, target)]
      case 'leave':
        return [await asked(user, user, { kind: 'leave' }), model.leave(user)]
      case 'appoint': {
        const given = { customerId: customer, userId: target, role: op.role, membershipId: id }
        return [(await team.appoint(given)) === null, model.appoint(customer, target, op.role)]
      }
      case 'erase':
        return [await real.offboarding.deleteUser(user, why), model.erase(user, id)]
      case 'disable': {
        const { disabled } = op
        return [(await accounts.updateUser(user, { disabled }, why)) !== null, model.disable(user, disabled, id)]
      }
      case 'order': {
        const { tier, quantity } = op
        const took = (await ledger.set(customer, { tier, quantity }, why)) === 'done'
        return [took, model.order(customer, tier, quantity, id)]
      }
      case 'cancel':
        return [(await ledger.cancel(customer, why)) === 'done', model.cancel(customer, id)]
      case 'end':
        return [await real.offboarding.end(customer, { reason: 'owner', cause: why }), model.end(customer, id)]
      case 'instances': {
        const answers: [boolean, boolean][] = []
        for (let n = 0; n < op.count; n++) answers.push(await instance(customer, user, op.status))
        return answers.find(([took, expected]) => took !== expected) ?? answers[0]!
      }
      case 'delete instance': {
        const one = [...model.instances.values()][op.nth]
        if (one === undefined) return [false, false]
        return [await instances.remove(one.customer, one.id), model.instances.delete(one.id)]
      }
      case 'casework': {
        const owner = { customerId: customer, userId: user }
        const expected = model.record(customer, user, op.kind)
        if (op.kind === 'alerts') {
          const { made } = await fire(owner)
          const stored = await casework.alertReads.store(owner, { readUntil: null, read: [] }, NOW)
          return [made > 0 && stored === 'stored', expected]
        }
        const content = { ...DEFAULTS[op.kind], title: 'one', name: 'one', query: {} }
        const record = { id, owner, kind: op.kind, content, caseId: null, createdAt: NOW, updatedAt: NOW }
        return [(await casework.records.create(record)) === 'created', expected]
      }
    }
  }

  /** Each of another item. */
  async function fire(owner: { customerId: string; userId: string }) {
    const fired = firedAlert({ owner })
    const stored = await alerts.store({ withdrawn: [], fired: [fired] }, { partition: 0, moves: [] }, NOW)
    return stored === 'moved' ? { made: 0 } : stored
  }

  async function instance(customer: string, user: string, status: 'PROVISIONING' | 'STAGING' | 'RUNNING' | 'STOPPED') {
    const id = randomUUID()
    const createdAt = NOW + ++moment * 1000
    const place = { id, customerId: customer, userId: user, name: 'one', zone: 'a', machineType: 's', templateId: null }
    const stored = { ...place, status: 'PROVISIONING' as const, createdAt: mutant.createdAt?.(createdAt) ?? createdAt }
    const took = (await instances.create(stored, NOW * 2)) === 'created'
    const due_at = status === 'RUNNING' || status === 'STOPPED' ? null : new Date(NOW * 2)
    if (took) await db.updateTable('instances').set({ status, due_at }).where('id', '=', id).execute()
    return [took, model.instance({ id, customer, user, status, createdAt })] satisfies [boolean, boolean]
  }

  async function relay(keep: number): Promise<void> {
    const partly: MemoryLog['send'] = async (batches) => {
      faults.point('before send')
      try {
        faults.point('amid send')
      } catch (error) {
        await log.send(batches.map(({ topic, messages }) => ({ topic, messages: messages.slice(0, keep) })))
        throw error
      }
      await log.send(batches)
      faults.point('after send')
    }
    const outbox = watched(real.outbox, ['pending', 'take', 'markPublished'], faults.point)
    const send = mutant.send?.(partly) ?? partly
    await relayOnce({ outbox, log: { send }, now: () => clock.now, holder: HOLDER })
  }

  async function deliver(name: HandlerName, records: number): Promise<boolean> {
    const from = positions[name]
    const messages = log.all(ACCOUNT_LIFECYCLE).slice(from, from + records)
    if (messages.length === 0) return false
    const to = from + messages.length
    const place = { topic: ACCOUNT_LIFECYCLE, partition: 0, from, to, note: '', redelivered: false, highWatermark: to }
    const { signal } = new AbortController()
    const handler = real.handlers.find((one) => one.name === name)!
    const went = await faults.survives(() => lifecycleJob(handler, ports).eachBatch({ ...place, messages, signal }))
    if (went) positions[name] = to
    return true
  }

  async function play(step: Step): Promise<void> {
    switch (step.does) {
      case 'relay':
        faults.arm(step.fault)
        await faults.survives(() => relay(step.keep))
        break
      case 'deliver':
        faults.arm(step.fault)
        await deliver(step.handler, step.records)
        break
      case 'rewind':
        positions[step.handler] = Math.max(base, positions[step.handler] - step.records)
        break
      case 'retry':
        clock.now += LONG_MS
        faults.arm(step.fault)
        await faults.survives(() => retryOnce(real.handlers, ports))
        break
      case 'provider fails':
        providerFails ||= faults.mayFail()
        break
      case 'look':
        assert.deepEqual(await state(db), model.state())
        break
      default: {
        const [took, expected] = await operate(step)
        figures.operations++
        if (took) figures.taken++
        if (took !== expected) throw new Error(`${JSON.stringify(step)} was ${took ? 'taken' : 'refused'}`)
      }
    }
    // One that was not met has passed.
    faults.arm(null)
    if (wrong !== null) throw wrong
  }

  async function settle(): Promise<void> {
    for (let round = 0; round < MAX_ROUNDS; round++) {
      await relay(0)
      let busy = false
      for (const name of HANDLERS) busy = (await deliver(name, Number.MAX_SAFE_INTEGER)) || busy
      clock.now += LONG_MS
      busy = (await retryOnce(real.handlers, ports)) > 0 || busy
      if (wrong !== null) throw wrong
      if (!busy) return
    }
    throw new Error('it does not settle')
  }

  /** Events as they first stood on the log. */
  function told() {
    const records = log.all(ACCOUNT_LIFECYCLE).slice(base)
    const events = [...new Map(records.map(({ value }) => [lifecycleIn(value).id, lifecycleIn(value)])).values()]
    figures.events = events.length
    figures.records = records.length
    return events.map(({ type, subject, data }) => ({ type, user: subject.userID, customer: subject.customerID, data }))
  }

  /** Both sides of what must be equal once everything is handled. */
  async function compared() {
    figures.repeated = real.outcomes.filter((one) => one.endsWith('repeated')).length
    Object.assign(figures, faults.happened)
    const report = await real.reconcile(true)
    const ended = model.events.filter(({ type, data }) => type === 'customer.deleted' && data.reason === 'last_owner')
    const nothing = {
      unhandled: [] as unknown[],
      waiting: 0,
      unpublished: 0,
      dead: 0,
      reconciled: [] as string[],
      unexpected: [] as string[],
      paying: [] as string[],
      freedTooEarly: [] as string[],
    }
    return {
      real: {
        ...(await state(db)),
        events: told(),
        unhandled: HANDLERS.flatMap((name) => model.unhandled(name)),
        waiting: await real.store.waiting(1000),
        unpublished: (await real.outbox.pending(1000)).length,
        dead: real.dead().length,
        reconciled: Object.entries(report).flatMap(([kind, { found }]) => (found > 0 ? [kind] : [])),
        unexpected: real.failures.filter((message) => !isFault(message)),
        paying: ended.map(({ customer }) => accountOf(customer!)).filter((one) => !removed.has(one)),
        freedTooEarly: real.freed.filter((id) => model.instances.has(id)),
      },
      model: {
        ...model.state(),
        events: model.events.map(({ type, user, customer, data }) => ({ type, user, customer, data })),
        ...nothing,
      },
    }
  }

  /** Two customers with people, one with instances, so that histories need not begin with nothing. */
  async function populated(): Promise<void> {
    for (const [slot, owner] of [0, 3].entries()) await play({ does: 'create', user: owner, slot })
    await play({ does: 'appoint', slot: 0, target: 1, role: 'admin' })
    await play({ does: 'appoint', slot: 0, target: 2, role: 'user' })
    await play({ does: 'appoint', slot: 1, target: 4, role: 'owner' })
    await play({ does: 'order', slot: 0, tier: 'Pro', quantity: 1 })
    // More than a smaller subscription allows.
    for (const user of [0, 2]) await play({ does: 'instances', user, count: 2, status: 'RUNNING' })
  }

  return { play, settle, compared, populated, figures }
}

const HOLDER = randomUUID()
const accountOf = (customer: string): string => `cus_${customer}`
const customerOf = (account: string): string => account.slice('cus_'.length)
