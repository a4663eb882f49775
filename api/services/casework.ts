/** What an analyst keeps for itself in its customer (decisions 8.3): another one's record is told from none to nobody. */

import type { Casework, CaseworkRecord, Entry, Owner, Place } from '../../connectors/casework/port.ts'
import type { Paging, Team } from '../../connectors/team/port.ts'
import type { Identity } from '../../schemas/accounts.ts'
import { type CaseworkKind, type Content, DEFAULTS, MAX_ENTRIES } from '../../schemas/casework.ts'
import { ApiError, invalid } from '../errors.ts'
import { memberOf, noMember } from './own-customer.ts'

export type CaseworkPorts = {
  casework: Casework
  team: Pick<Team, 'membership'>
  now: () => number
  newId: () => string
}

/** A body of a record; `case_id` names the case that a conversation is about. */
type Given = Content & { case_id?: string | null }

const windowOf = ({ limit, page }: Paging) => ({ limit, offset: (page - 1) * limit })

/** Every function throws 403 for a caller without a customer, and 404 for a record that is not the caller's. */
export function caseworkService({ casework: { records, entries }, team, now, newId }: CaseworkPorts) {
  const member = memberOf(team)
  const ownerOf = async (user: Identity): Promise<Owner> => {
    const { customerId, userId } = await member(user)
    return { customerId, userId }
  }
  const placeOf = async (user: Identity, kind: CaseworkKind, id: string): Promise<Place> => ({
    owner: await ownerOf(user),
    kind,
    id,
  })

  return {
    /** Throws 409 when the quota is used up, 400 for a case that is not the caller's. */
    async create(user: Identity, kind: CaseworkKind, { case_id: caseId = null, ...given }: Given) {
      const owner = await ownerOf(user)
      const at = now()
      const content = { ...DEFAULTS[kind], ...given }
      const record: CaseworkRecord = { id: newId(), kind, owner, content, caseId, createdAt: at, updatedAt: at }
      const outcome = await records.create(record)
      if (outcome === 'full') throw new ApiError('quota_exceeded')
      if (outcome === 'no member') throw noMember()
      if (outcome === 'no case') throw noCase()
      return record
    },

    async list(user: Identity, kind: CaseworkKind, paging: Paging) {
      return records.list(await ownerOf(user), kind, windowOf(paging))
    },

    get: async (user: Identity, kind: CaseworkKind, id: string) =>
      found(await records.record(await placeOf(user, kind, id)), kind),

    /** What is not named stays. Throws 400 for a case that is not the caller's. */
    async change(user: Identity, kind: CaseworkKind, id: string, { case_id: caseId, ...content }: Given) {
      const place = await placeOf(user, kind, id)
      const linked = caseId === undefined ? {} : { caseId }
      const outcome = await records.change(place, { content, ...linked, updatedAt: now() })
      if (outcome === 'no case') throw noCase()
      return found(outcome, kind)
    },

    async remove(user: Identity, kind: CaseworkKind, id: string): Promise<void> {
      found((await records.remove(await placeOf(user, kind, id))) || null, kind)
    },

    /** Throws 409 when the record has as many as it may have. */
    async addEntry(user: Identity, kind: CaseworkKind, id: string, content: Content): Promise<Entry> {
      const entry = { id: newId(), content, createdAt: now() }
      const outcome = await entries.add(await placeOf(user, kind, id), entry, MAX_ENTRIES)
      if (outcome === 'full') {
        throw new ApiError('conflict', { message: `a ${kind} holds ${MAX_ENTRIES} entries at most` })
      }
      return found(outcome === 'added' ? entry : null, kind)
    },

    /** Oldest first. */
    listEntries: async (user: Identity, kind: CaseworkKind, id: string, paging: Paging) =>
      found(await entries.list(await placeOf(user, kind, id), windowOf(paging)), kind),

    entry: async (user: Identity, kind: CaseworkKind, id: string, entryId: string) =>
      found(await entries.entry(await placeOf(user, kind, id), entryId), kind),

    async removeEntry(user: Identity, kind: CaseworkKind, id: string, entryId: string): Promise<void> {
      found((await entries.remove(await placeOf(user, kind, id), entryId)) || null, kind)
    },
  }
}

export type CaseworkService = ReturnType<typeof caseworkService>

const noCase = () => invalid('case_id', 'is no case of the caller')

function found<T>(given: T | null, kind: CaseworkKind): T {
  if (given === null) throw new ApiError('not_found', { message: `no such ${kind}, or nothing of it by that id` })
  return given
}
