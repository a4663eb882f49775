import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { repositoryFiles } from '../../../../../builders/infra/repository.ts'

/** Who names the table itself, rather than `acceptedMemberships`; a new one says here why an invitation gives nothing by it. */
const NAMES_THE_TABLE: Record<string, string> = {
  'accounts/users/user-rows.ts': 'what a caller holds; joins accepted ones',
  'casework/alerts/watched-lists.ts': 'who watches a list; joins accepted ones',
  'casework/triage-store.ts': 'who can be assigned to; joins accepted ones',

  'lifecycle/offboarding-store.ts': 'ends any',
  'lifecycle/reconciliation-store.ts':
    'finds rows whose user or customer is gone, and customers without an accepted owner',
  'accounts/sessions/sign-on-mapping.ts': 'changes and ends the mapped one, which it reads from accepted ones',
  'accounts/team/membership-changes.ts': 'invites, joins, ends, and ends one that is declined',
  'accounts/team/memberships.ts': 'says what is accepted and what is listed',
  'accounts/team/team-store.ts': 'makes that of the founder',
}

const STORES = repositoryFiles().filter((file) => /^connectors\/(?!.*\/migrations\/).*\.ts$/.test(file))
const TABLE = /(?:From|Into|Table|Join)\('memberships'|\b(?:FROM|JOIN) memberships\b/
const JOINED = /(?:Join\('memberships'|\bJOIN memberships\b)[\s\S]{0,220}?accepted_at(?:', 'is not', null| IS NOT NULL)/

test('every file that reads memberships reads accepted ones, or is known to need others', () => {
  const naming = STORES.filter((file) => TABLE.test(readFileSync(file, 'utf8')))
  const named = naming.map((file) => file.replace('connectors/postgres/', ''))
  expect(named.sort()).toEqual(Object.keys(NAMES_THE_TABLE).sort())
  for (const file of naming) {
    const text = readFileSync(file, 'utf8')
    if (/Join\('memberships'|\bJOIN memberships\b/.test(text)) expect([file, JOINED.test(text)]).toEqual([file, true])
  }
})

test('what lists all memberships is for lists of members and for the invited user alone', () => {
  const listing = STORES.filter((file) => /\blistedMemberships\(/.test(readFileSync(file, 'utf8')))
  expect(listing.map((file) => file.replace('connectors/postgres/accounts/team/', '')).sort()).toEqual([
    'invitations.ts',
    'membership-changes.ts',
    'memberships.ts',
    'team-store.ts',
  ])
})
