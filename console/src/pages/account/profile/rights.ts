import type { Role } from '../../../session/caller.ts'

/** What each role of an account allows. None includes another. */
export const ROLE_TEXT: Record<Role, string> = {
  user: 'Run scans and use the resources of a team.',
  reporter: 'Report entities and read their definitions.',
  trusted: 'Mark entities as well known.',
  billing_admin: 'See all customers and change or end their subscriptions.',
  compute_admin: 'Delete any instance.',
  auth_admin: 'Manage accounts, operations and dead letters.',
}

type Customer = { customerID: string; name: string } | null

/** The explanation of a group for its member. */
export function groupText(group: string, customer: Customer): string {
  if (group === 'public') return 'Public data, which everyone can read.'
  if (customer !== null && group === `customer-${customer.customerID}`)
    return `Data that is private to ${customer.name}.`
  return 'Assigned by an administrator.'
}
