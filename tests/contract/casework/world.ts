/** Teams and casework over a database, for the suites of casework. */

import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { kyselyQuotas } from '../../../connectors/postgres/accounts/plan/quota-store.ts'
import { kyselyCaseworkCleanup } from '../../../connectors/postgres/casework/casework-cleanup.ts'
import { kyselyCasework } from '../../../connectors/postgres/casework/casework-store.ts'
import type {
  CaseworkCleanup,
  CaseworkRecord,
  NewEntry,
  NewRecord,
  Page,
} from '../../../connectors/postgres/casework/port.ts'
import type { AccountsDatabase } from '../../../connectors/postgres/core/database.ts'
import { BUILT_IN_TIERS, type Tiers } from '../../../schemas/accounts/tiers/tiers.ts'
import { CASEWORK_KINDS, type CaseworkKind, QUOTA_KEYS } from '../../../schemas/casework/casework.ts'
import type { Owner } from '../../../schemas/casework/owner.ts'
import { addAlerts } from '../../builders/accounts/alerts.ts'
import { type Crew, peopleOf } from '../../builders/accounts/team.ts'

export const NOW = 1_800_000_000_000
export const ALL: Page = { limit: 100, offset: 0 }
/** Of every quota. */
export const CAP = 4
/** A bound that no test reaches. */
export const TEN = { max: 10 }
const cap = { value: CAP, description: 'records' }
export const TIERS: Tiers = {
  ...BUILT_IN_TIERS,
  Free: {
    limits: {},
    quotas: { 'casework-api': Object.fromEntries(CASEWORK_KINDS.map((kind) => [QUOTA_KEYS[kind], cap])) },
  },
}

/** What `everything` made, as clean-up counts it. */
export const EVERYTHING = {
  cases: 1,
  watchlists: 1,
  conversations: 1,
  searches: 1,
  items: 1,
  messages: 2,
  turns: 1,
  notes: 1,
  pinnedEntities: 1,
  alerts: 1,
  alertReads: 1,
}

export const owner = ({ customerId, ...team }: Crew, who: 'user' | 'user2' | 'owner' = 'user'): Owner => ({
  customerId,
  userId: team[who].id,
})

export const record = (of: Owner, kind: CaseworkKind, given: Partial<NewRecord> = {}): NewRecord => ({
  id: randomUUID(),
  kind,
  owner: of,
  content: { title: `'); DROP TABLE casework_records; --\n\t"€" 😀`, deep: { list: [1, null, 'a'] } },
  caseId: null,
  createdAt: NOW,
  updatedAt: NOW,
  ...given,
})

export const entry = (given: Partial<NewEntry> = {}): NewEntry => ({
  id: randomUUID(),
  kind: 'item',
  key: null,
  content: { kind: 'value', value: 'x' },
  createdAt: NOW,
  ...given,
})

export type World = ReturnType<typeof caseworkWorld>

export function caseworkWorld(database: AccountsDatabase) {
  const people = peopleOf(database)
  const casework = kyselyCasework(people.db, TIERS)
  const made = async (of: Owner, kind: CaseworkKind, given: Partial<NewRecord> = {}): Promise<CaseworkRecord> => {
    const one = record(of, kind, given)
    expect(await casework.records.create(one)).toBe('created')
    return { ...one, nextSeq: 0, lastEntryAt: null }
  }
  return {
    people,
    casework,
    made,
    used: async ({ customerId }: Owner): Promise<number[]> => {
      const usage = await kyselyQuotas(people.db, TIERS).usage(customerId)
      return CASEWORK_KINDS.map((kind) => usage.find(({ featureKey }) => featureKey === QUOTA_KEYS[kind])?.used ?? 0)
    },
    ids: async (of: Owner, kind: CaseworkKind) =>
      (await casework.records.list(of, kind, {}, ALL)).records.map(({ id }) => id),
    items: async (at: CaseworkRecord, page: Page = ALL) => casework.entries.list(at, 'item', page),
    clean: <T>(work: (cleanup: CaseworkCleanup) => Promise<T>) =>
      people.db.transaction().execute((tx) => work(kyselyCaseworkCleanup(tx, TIERS))),
    /** One of everything. */
    everything: async (of: Owner) => {
      const about = await made(of, 'case')
      const watchlist = await made(of, 'watchlist')
      const conversation = await made(of, 'conversation', { caseId: about.id })
      await made(of, 'search')
      await casework.entries.add(watchlist, entry(), TEN)
      for (const kind of ['message', 'message', 'turn'] as const)
        await casework.entries.add(conversation, entry({ kind }), TEN)
      await casework.entries.add(about, entry({ kind: 'note' }), TEN)
      await casework.entries.add(about, entry({ kind: 'entity', key: 'ip-1' }), TEN)
      await casework.alertReads.store(of, { readUntil: NOW, read: [randomUUID()] }, NOW)
      await addAlerts(people.db, [{ customer_id: of.customerId, user_id: of.userId }])
      return { about, watchlist, conversation }
    },
  }
}
