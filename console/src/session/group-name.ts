import type { Caller } from './caller.ts'

type Member = Pick<Caller, 'customer'> | null | undefined

/** A group as its member calls it: the name of the team in place of the id of the customer. */
export function groupName(group: string, caller: Member): string {
  const customer = caller?.customer
  return customer && group === `customer-${customer.customerID}` ? customer.name : group
}

/** Several groups, in a sentence. */
export const groupNames = (groups: readonly string[], caller: Member): string =>
  groups.map((group) => groupName(group, caller)).join(', ')
