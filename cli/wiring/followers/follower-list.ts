import type { Follower } from './start.ts'

/**
 * The one list of what the role `follow` runs: jobs that follow `entity.changes`, and workers that go on with what they
 * began. What needs the accounts runs where those can be opened: on the embedded database, which one process has open,
 * that is the process of the API (ADR 271). What belongs to a host with an API runs there: under `up` in the role `follow`,
 * on servers in the API itself (`besideApi`).
 */
export const FOLLOWERS: readonly Follower[] = [
  {
    name: 'feeds',
    needsAccounts: false,
    start: async (parts) => (await import('./feeds-follower.ts')).startFeeds(parts),
  },
  {
    name: 'match',
    needsAccounts: false,
    start: async (parts) => (await import('./match-follower.ts')).startMatch(parts),
  },
  {
    name: 'collections',
    needsAccounts: false,
    start: async (parts) => (await import('./collections-follower.ts')).startCollections(parts),
  },
  {
    name: 'lookups',
    needsAccounts: false,
    besideApi: true,
    start: async (parts) => (await import('./lookups-follower.ts')).startLookups(parts),
  },
  {
    name: 'audit',
    needsAccounts: false,
    start: async (parts) => (await import('./audit-follower.ts')).startAudit(parts),
  },
  {
    name: 'alerts',
    needsAccounts: true,
    start: async (parts, database) => (await import('./alerts-follower.ts')).startAlerts(parts, database),
  },
  {
    name: 'deliveries',
    needsAccounts: true,
    start: async (parts, database) => (await import('./deliveries-follower.ts')).deliverAlerts(parts, database),
  },
]
