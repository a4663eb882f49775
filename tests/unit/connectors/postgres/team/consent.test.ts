import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { repositoryFiles } from '../../../../builders/infra/repository.ts'

/** Who names the table itself, rather than `acceptedMemberships`; a new one says here why an invitation gives nothing by it. */
const NAMES_THE_TABLE: Record<string, string> = {
  'accounts/rights.ts': 'what a caller holds; joins accepted ones',
  'casework/alerts/watched.ts': 'who watches a list; joins accepted ones',
  'casework/triage/kysely.ts': 'who can be assigned to; joins accepted ones',
  'feeds-out/tokens.ts': 'what the maker of a token holds; joins accepted ones',
  'offboarding/kysely.ts': 'ends any',
  'reconciliation/kysely.ts': 'finds rows whose user or customer is gone, and customers without an accepted owner',
  'sign-on/membership.ts': 'changes and ends the mapped one, which it reads from accepted ones',
  'team/changes.ts': 'invites, joins and ends',
  'team/consent.ts': 'ends one that is declined',
  'team/live.ts': 'says what is accepted and what is listed',
  'team/team.ts': 'makes that of the founder',
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
  expect(listing.map((file) => file.replace('connectors/postgres/team/', '')).sort()).toEqual([
    'changes.ts',
    'consent.ts',
    'invitations.ts',
    'live.ts',
    'team.ts',
  ])
})
