/**
 * What accounts, instances and casework must be, as plain maps: what an operation changes and tells, and what a handler
 * makes of that, straight from specification 6 and decisions 8. Nothing here comes from the product.
 */

export const HANDLERS = ['billing', 'compute', 'casework'] as const
export type HandlerName = (typeof HANDLERS)[number]
export type Role = 'owner' | 'admin' | 'user'
export type Status = 'PROVISIONING' | 'STAGING' | 'RUNNING' | 'STOPPING' | 'STOPPED'
export const KINDS = ['case', 'watchlist', 'conversation', 'search', 'alerts'] as const
export type Kind = (typeof KINDS)[number]

/** Instances of one quantity of each tier; -1: any number. */
const BASE: Record<string, number> = { Free: 3, Pro: 6, Enterprise: -1 }
const COUNTERS = {
  case: 'max_cases',
  watchlist: 'max_watchlists',
  conversation: 'max_conversations',
  search: 'max_saved_searches',
} as const

type Subscription = { tier: string; quantity: number; status: 'active' | 'cancelled' }
type Instance = { id: string; customer: string; user: string; status: Status; createdAt: number }
/** `name`: the id, or for what only a handler could name the type with its customer. */
type Expected = {
  name: string
  type: string
  user: string | null
  customer: string | null
  data: Record<string, unknown>
}
type Told = { id: string; type: string; subject: { userID: string | null; customerID: string | null } }

const capOf = ({ tier, quantity, status }: Subscription): number => {
  if (status === 'cancelled') return 0
  return BASE[tier] === -1 ? Number.POSITIVE_INFINITY : BASE[tier]! * quantity
}
const written = (cap: number): number => (cap === Number.POSITIVE_INFINITY ? -1 : cap)
const keyOf = ({ customer, user }: Expected): string => (customer ?? user)!
const endName = (type: string, customer: string): string => `${type} of ${customer}`

export function lifecycleModel() {
  const users = new Map<string, { disabled: boolean }>()
  const customers = new Map<string, Subscription>()
  /** Also of users who are gone, until billing has seen it. */
  const members = new Map<string, { customer: string; role: Role }>()
  const instances = new Map<string, Instance>()
  /** Rows by `customer user kind`. */
  const casework = new Map<string, number>()
  const events: Expected[] = []
  const handled = { billing: new Set<string>(), compute: new Set<string>(), casework: new Set<string>() }

  const membership = (user: string) => (users.has(user) ? members.get(user) : undefined)
  const owners = (customer: string) =>
    [...members].filter(([user, one]) => users.has(user) && one.customer === customer && one.role === 'owner').length
  const lastOwner = (user: string) => {
    const own = membership(user)
    return own?.role === 'owner' && owners(own.customer) === 1
  }
  const of = (customer: string) => [...instances.values()].filter((one) => one.customer === customer)
  const drop = (some: Iterable<Instance>) => {
    for (const { id } of some) instances.delete(id)
  }
  const dropCasework = (word: 0 | 1, id: string) => {
    for (const key of [...casework.keys()]) if (key.split(' ')[word] === id) casework.delete(key)
  }
  const change = (customer: string, next: Subscription, name: string) => {
    const old = customers.get(customer)!
    const type = next.status === 'cancelled' ? 'subscription.cancelled' : 'subscription.changed'
    customers.set(customer, next)
    events.push({ name, type, user: null, customer, data: changeData(old, next) })
  }
  const end = (customer: string, reason: string, name: string) => {
    const old = customers.get(customer)!
    if (old.status === 'active' && old.tier !== 'Free') {
      change(customer, CANCELLED, endName('subscription.cancelled', customer))
    }
    customers.delete(customer)
    for (const [user, one] of [...members]) if (one.customer === customer) members.delete(user)
    events.push({ name, type: 'customer.deleted', user: null, customer, data: { reason } })
  }

  /** The tables of specification 6. */
  const effects: Record<HandlerName, (event: Expected) => void> = {
    billing({ type, user, data }) {
      if (type !== 'user.deleted') return
      for (const { customerID, role } of data.memberships as { customerID: string; role: Role }[]) {
        if (!customers.has(customerID)) continue
        if (role === 'owner' && owners(customerID) === 0)
          end(customerID, 'last_owner', endName('customer.deleted', customerID))
        else members.delete(user!)
      }
    },
    compute({ type, user, customer, data }) {
      if (type === 'user.deleted') drop([...instances.values()].filter((one) => one.user === user))
      if (type === 'customer.deleted' || type === 'subscription.cancelled') drop(of(customer!))
      if (type === 'user.disabled')
        for (const one of instances.values()) if (one.user === user && one.status === 'RUNNING') one.status = 'STOPPING'
      const now = customer === null ? undefined : customers.get(customer)
      if (type === 'subscription.changed' && now !== undefined) {
        const { effective, oldEffective } = data as Record<string, { max_instances: number }>
        const [to, from] = [effective!, oldEffective!].map(({ max_instances: n }) => (n === -1 ? Infinity : n))
        const oldestFirst = of(customer!).sort((a, b) => a.createdAt - b.createdAt)
        if (to! < from!) drop(oldestFirst.slice(Math.max(to!, capOf(now))))
      }
    },
    casework({ type, user, customer }) {
      if (type === 'user.deleted') dropCasework(1, user!)
      if (type === 'customer.deleted') dropCasework(0, customer!)
    },
  }

  return {
    users,
    customers,
    instances,
    events,
    membership,
    owners,
    of,

    /** Whether the operation is taken; then it counts. */
    create(user: string, customer: string): boolean {
      if (!users.has(user) || members.has(user)) return false
      customers.set(customer, { tier: 'Free', quantity: 1, status: 'active' })
      members.set(user, { customer, role: 'owner' })
      return true
    },
    add(caller: string, target: string, role: Role): boolean {
      const by = membership(caller)
      const grants = by?.role === 'owner' ? ['admin', 'user'] : by?.role === 'admin' ? ['user'] : []
      if (!grants.includes(role) || !users.has(target) || members.has(target)) return false
      members.set(target, { customer: by!.customer, role })
      return true
    },
    set(caller: string, target: string, role: Role): boolean {
      const [by, to] = [membership(caller), membership(target)]
      if (caller === target || by === undefined || by.customer !== to?.customer) return false
      const may = by.role === 'owner' ? role !== 'owner' : by.role === 'admin' && role === 'user' && to.role !== 'owner'
      if (!may || (role !== 'owner' && lastOwner(target))) return false
      to.role = role
      return true
    },
    remove(caller: string, target: string): boolean {
      const [by, to] = [membership(caller), membership(target)]
      const may = by?.role === 'owner' || (by?.role === 'admin' && to?.role !== 'owner')
      if (!may || to?.customer !== by?.customer || lastOwner(target)) return false
      members.delete(target)
      return true
    },
    transfer(caller: string, target: string): boolean {
      const [by, to] = [membership(caller), membership(target)]
      if (by?.role !== 'owner' || caller === target || to?.customer !== by.customer) return false
      to.role = 'owner'
      by.role = 'admin'
      return true
    },
    leave(user: string): boolean {
      return membership(user) !== undefined && !lastOwner(user) && members.delete(user)
    },
    appoint(customer: string, target: string, role: Role): boolean {
      if (!customers.has(customer) || !users.has(target) || members.has(target)) return false
      members.set(target, { customer, role })
      return true
    },
    erase(user: string, id: string): boolean {
      if (!users.delete(user)) return false
      const own = members.get(user)
      const memberships = own === undefined ? [] : [{ customerID: own.customer, role: own.role }]
      events.push({ name: id, type: 'user.deleted', user, customer: own?.customer ?? null, data: { memberships } })
      return true
    },
    disable(user: string, disabled: boolean, id: string): boolean {
      const one = users.get(user)
      if (one === undefined) return false
      if (disabled && !one.disabled)
        events.push({ name: id, type: 'user.disabled', user, customer: members.get(user)?.customer ?? null, data: {} })
      one.disabled = disabled
      return true
    },
    order(customer: string, tier: string, quantity: number, id: string): boolean {
      const old = customers.get(customer)
      if (old === undefined) return false
      if (old.tier === tier && old.quantity === quantity && old.status === 'active') return false
      change(customer, { tier, quantity, status: 'active' }, id)
      return true
    },
    cancel(customer: string, id: string): boolean {
      if ((customers.get(customer)?.status ?? 'cancelled') === 'cancelled') return false
      change(customer, CANCELLED, id)
      return true
    },
    end(customer: string, id: string): boolean {
      if (!customers.has(customer)) return false
      end(customer, 'owner', id)
      return true
    },
    instance(one: Instance): boolean {
      if (membership(one.user)?.customer !== one.customer) return false
      if (of(one.customer).length >= capOf(customers.get(one.customer)!)) return false
      instances.set(one.id, one)
      return true
    },
    record(customer: string, user: string, kind: Kind): boolean {
      if (membership(user)?.customer !== customer) return false
      // Alerts that were read are one row and take no quota. The others are 100 of each, more than a history makes.
      const key = `${customer} ${user} ${kind}`
      casework.set(key, kind === 'alerts' ? 1 : (casework.get(key) ?? 0) + 1)
      return true
    },

    /** A handler is done with an event. Throws when that may not be: unknown, for the second time, out of order. */
    handled(name: HandlerName, { id, type, subject }: Told): void {
      const event = events.find((one) => one.name === id || one.name === endName(type, subject.customerID ?? ''))
      if (event === undefined) throw new Error(`${name} handled ${type}, which nothing told of`)
      if (handled[name].has(event.name)) throw new Error(`${name} handled ${type} twice`)
      const first = events.find((one) => keyOf(one) === keyOf(event) && !handled[name].has(one.name))
      if (first !== event) throw new Error(`${name} handled ${type} before ${first!.type} of its key`)
      handled[name].add(event.name)
      effects[name](event)
    },

    /** Events that a handler has not seen. */
    unhandled: (name: HandlerName) => events.filter((one) => !handled[name].has(one.name)).map(({ type }) => type),

    /** Everything, as sorted lines. */
    state() {
      const rowsOf = (customer: string, kind: string) =>
        [...casework].reduce((sum, [key, n]) => sum + (key.startsWith(customer) && key.endsWith(` ${kind}`) ? n : 0), 0)
      const counters = [...customers.keys()].flatMap((id) => [
        `${id} max_instances ${of(id).length}`,
        ...Object.entries(COUNTERS).map(([kind, counter]) => `${id} ${counter} ${rowsOf(id, kind)}`),
      ])
      return {
        users: [...users].map(([id, { disabled }]) => `${id} ${disabled}`).sort(),
        customers: [...customers].map(([id, s]) => `${id} ${s.tier} ${s.quantity} ${s.status}`).sort(),
        members: [...members].map(([user, { customer, role }]) => `${customer} ${user} ${role}`).sort(),
        instances: [...instances.values()].map((i) => `${i.customer} ${i.user} ${i.id} ${i.status}`).sort(),
        casework: [...casework].map(([key, rows]) => `${key} ${rows}`).sort(),
        // A counter of nothing may be missing.
        counters: counters.filter((line) => !line.endsWith(' 0')).sort(),
      }
    },
  }
}

export type LifecycleModel = ReturnType<typeof lifecycleModel>

const CANCELLED: Subscription = { tier: 'Free', quantity: 1, status: 'cancelled' }

const changeData = (old: Subscription, next: Subscription) => ({
  tier: next.tier,
  quantity: next.quantity,
  oldTier: old.tier,
  oldQuantity: old.quantity,
  effective: { max_instances: written(capOf(next)) },
  oldEffective: { max_instances: written(capOf(old)) },
})
