import type { Role } from '../../../session/caller.ts'

/** What each role of an account allows. None includes another. */
export const ROLE_TEXT: Record<Role, string> = {
  user: 'Ask for scans, and use what a team has.',
  reporter: 'Report entities, and read their definitions.',
  trusted: 'Mark entities as well known.',
  billing_admin: 'See every customer, and change or end its subscription.',
  compute_admin: 'Delete any instance.',
  auth_admin: 'Manage accounts, operations and dead letters.',
}

type Customer = { customerID: string; name: string } | null

/** What reading by this group means to its reader. */
export function groupText(group: string, customer: Customer): string {
  if (group === 'public') return 'What everybody reads.'
  if (customer !== null && group === `customer-${customer.customerID}`) return `What ${customer.name} keeps to itself.`
  return 'Assigned by an administrator.'
}
