/** Random histories of accounts as data: what people do, and what goes wrong on the way to the handlers. */

import fc from 'fast-check'
import { HANDLERS, KINDS } from './model.ts'

export const USERS = 6
export const CUSTOMERS = 3

const user = fc.nat({ max: USERS - 1 })
const slot = fc.nat({ max: CUSTOMERS - 1 })
const role = fc.constantFrom('owner', 'admin', 'user')
const handler = fc.constantFrom(...HANDLERS)
const step = <const D extends string, T>(does: D, given: { [K in keyof T]: fc.Arbitrary<T[K]> }) =>
  fc.record(given).map((rest) => ({ does, ...rest }) as { does: D } & T)

/** At the n-th moment between two steps: the process dies, or just this step fails. */
const fault = fc.option(fc.record({ at: fc.nat({ max: 9 }), dies: fc.boolean() }), { freq: 2 })

const operation = fc.oneof(
  { weight: 3, arbitrary: step('create', { user, slot }) },
  { weight: 2, arbitrary: step('add', { caller: user, target: user, role }) },
  { weight: 3, arbitrary: step('appoint', { slot, target: user, role }) },
  { weight: 2, arbitrary: step('set', { caller: user, target: user, role }) },
  { weight: 1, arbitrary: step('remove', { caller: user, target: user }) },
  { weight: 2, arbitrary: step('transfer', { caller: user, target: user }) },
  { weight: 1, arbitrary: step('leave', { user }) },
  { weight: 4, arbitrary: step('erase', { user }) },
  { weight: 4, arbitrary: step('disable', { user, disabled: fc.constantFrom(true, true, false) }) },
  {
    weight: 5,
    arbitrary: step('order', {
      slot,
      tier: fc.constantFrom('Free', 'Pro', 'Enterprise'),
      quantity: fc.integer({ min: 1, max: 2 }),
    }),
  },
  { weight: 1, arbitrary: step('cancel', { slot }) },
  { weight: 1, arbitrary: step('end', { slot }) },
  {
    weight: 5,
    arbitrary: step('instances', {
      user,
      count: fc.integer({ min: 1, max: 4 }),
      status: fc.constantFrom('PROVISIONING', 'STAGING', 'RUNNING', 'STOPPED'),
    }),
  },
  { weight: 1, arbitrary: step('delete instance', { nth: fc.nat({ max: 9 }) }) },
  { weight: 4, arbitrary: step('casework', { user, kind: fc.constantFrom(...KINDS) }) },
)

const delivery = fc.oneof(
  /** `keep`: of a send that fails, so many records are on the log after all. */
  { weight: 5, arbitrary: step('relay', { fault, keep: fc.nat({ max: 3 }) }) },
  { weight: 8, arbitrary: step('deliver', { handler, records: fc.integer({ min: 1, max: 3 }), fault }) },
  { weight: 1, arbitrary: step('rewind', { handler, records: fc.integer({ min: 1, max: 8 }) }) },
  { weight: 2, arbitrary: step('retry', { fault }) },
  { weight: 1, arbitrary: step('provider fails', {}) },
  /** The stores are those of the model also before everything is handled. */
  { weight: 2, arbitrary: step('look', {}) },
)

export const history = fc.array(fc.oneof({ weight: 5, arbitrary: operation }, { weight: 3, arbitrary: delivery }), {
  minLength: 1,
  maxLength: 40,
  size: 'max',
})

type Of<A> = A extends fc.Arbitrary<infer T> ? T : never
export type Step = Of<typeof history>[number]
export type Operation = Of<typeof operation>
export type Fault = { at: number; dies: boolean }
