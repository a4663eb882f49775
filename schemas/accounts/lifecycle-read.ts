/** Events of accounts as a consumer takes them from the log: checked, since they outlive the program that wrote them. */

import { type TSchema, Type } from 'typebox'
import { Value } from 'typebox/value'
import { CUSTOMER_ENDS, type LifecycleEvent, type LifecycleRecord, type LifecycleType } from './lifecycle.ts'
import { MEMBER_ROLES } from './team.ts'

const uuid = Type.String({ pattern: '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$' })
const Worth = Type.Object({ max_instances: Type.Integer({ minimum: -1 }) })
const OfUser = Type.Object({ userID: uuid })
const OfCustomer = Type.Object({ customerID: uuid })
const Change = Type.Object({
  tier: Type.String(),
  quantity: Type.Integer(),
  oldTier: Type.String(),
  oldQuantity: Type.Integer(),
  effective: Worth,
  oldEffective: Worth,
})
const Membership = Type.Object({ customerID: uuid, role: Type.Enum([...MEMBER_ROLES]) })

const SHAPES: Record<LifecycleType, { subject: TSchema; data: TSchema }> = {
  'user.deleted': { subject: OfUser, data: Type.Object({ memberships: Type.Array(Membership, { maxItems: 1000 }) }) },
  'user.disabled': { subject: OfUser, data: Type.Object({}) },
  'customer.deleted': { subject: OfCustomer, data: Type.Object({ reason: Type.Enum([...CUSTOMER_ENDS]) }) },
  'subscription.changed': { subject: OfCustomer, data: Change },
  'subscription.cancelled': { subject: OfCustomer, data: Change },
}

/** `event: null` is of a type that a newer version knows: it is passed over. */
export type ReadLifecycle = { ok: true; event: LifecycleEvent | null } | { ok: false; reason: string }

/** The event in a record, or what is wrong with it. Never throws. */
export function readLifecycle({ type, data, ...rest }: LifecycleRecord): ReadLifecycle {
  if (!Object.hasOwn(SHAPES, type)) return { ok: true, event: null }
  const shape = SHAPES[type as LifecycleType]
  if (!Value.Check(uuid, rest.id)) return { ok: false, reason: 'id is not a UUID' }
  const parsed = json(data)
  const fault = faultOf(shape.subject, { ...rest.subject }, 'subject') ?? faultOf(shape.data, parsed, 'data')
  if (fault !== null) return { ok: false, reason: `${type}: ${fault}` }
  const event = { ...rest, actor: { ...rest.actor }, subject: { ...rest.subject }, type, data: parsed }
  return { ok: true, event: event as LifecycleEvent }
}

/** undefined for text that is no JSON, which fits no schema here. */
function json(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function faultOf(schema: TSchema, value: unknown, name: string): string | null {
  if (Value.Check(schema, value)) return null
  const [first] = Value.Errors(schema, value)
  return `${name}${first?.instancePath ?? ''} ${first?.message ?? 'is invalid'}`
}
