/** Private records of an analyst within its customer (decisions 8.3, 13.1): a record of another analyst is a 404. */

import type { Paging, Team } from '../../../connectors/postgres/accounts/team/port.ts'
import type {
  Casework,
  CaseworkRecord,
  NewRecord,
  RecordFilter,
  RecordKey,
} from '../../../connectors/postgres/casework/port.ts'
import type { Identity } from '../../../schemas/accounts/accounts.ts'
import { type CaseworkKind, type Content, DEFAULTS, NO_CASE } from '../../../schemas/casework/casework.ts'
import type { Owner } from '../../../schemas/casework/owner.ts'
import { memberOf, noMember } from '../../accounts/services/team/own-customer.ts'
import { ApiError } from '../../http/errors.ts'

export type CaseworkPorts = {
  casework: Casework
  team: Pick<Team, 'membership'>
  now: () => number
  newId: () => string
}

/** A body of a record; `case_id` names the case that a conversation is about. */
type RecordBody = Content & { case_id?: string | null }

export const windowOf = ({ limit, page }: Paging) => ({ limit, offset: (page - 1) * limit })

/** The caller as the owner of records. Rejects with 403 for a caller without a customer. */
export function ownerOf(team: Pick<Team, 'membership'>) {
  const member = memberOf(team)
  return async (user: Identity): Promise<Owner> => {
    const { customerId, userId } = await member(user)
    return { customerId, userId }
  }
}

/** Every function throws 403 for a caller without a customer, and 404 for a record that is not the caller's. */
export function caseworkService({ casework: { records }, team, now, newId }: CaseworkPorts) {
  const owner = ownerOf(team)
  const placeOf = async (user: Identity, kind: CaseworkKind, id: string): Promise<RecordKey> => ({
    owner: await owner(user),
    kind,
    id,
  })

  return {
    /** Throws 409 when the quota is used up, 404 for a case that is not the caller's. */
    async create(
      user: Identity,
      kind: CaseworkKind,
      { case_id: caseId, ...given }: RecordBody,
    ): Promise<CaseworkRecord> {
      const at = now()
      const record: NewRecord = {
        id: newId(),
        kind,
        owner: await owner(user),
        content: { ...DEFAULTS[kind], ...given },
        caseId: caseOf(caseId) ?? null,
        createdAt: at,
        updatedAt: at,
      }
      const outcome = await records.create(record)
      if (outcome === 'full') throw new ApiError('quota_exceeded')
      if (outcome === 'no member') throw noMember()
      if (outcome === 'no case') throw noCase()
      return { ...record, nextSeq: 0, lastEntryAt: null }
    },

    /** Newest first, conversations by what was added last. */
    async list(user: Identity, kind: CaseworkKind, filter: RecordFilter, paging: Paging) {
      return records.list(await owner(user), kind, filter, windowOf(paging))
    },

    get: async (user: Identity, kind: CaseworkKind, id: string) =>
      requireRecord(await records.record(await placeOf(user, kind, id)), kind),

    /** What is not named stays. Throws 404 for a case that is not the caller's. */
    async change(user: Identity, kind: CaseworkKind, id: string, { case_id: given, ...content }: RecordBody) {
      const place = await placeOf(user, kind, id)
      const caseId = caseOf(given)
      const linked = caseId === undefined ? {} : { caseId }
      const outcome = await records.change(place, { content, ...linked, updatedAt: now() })
      if (outcome === 'no case') throw noCase()
      return requireRecord(outcome, kind)
    },

    async remove(user: Identity, kind: CaseworkKind, id: string): Promise<void> {
      requireRecord((await records.remove(await placeOf(user, kind, id))) || null, kind)
    },
  }
}

export type CaseworkService = ReturnType<typeof caseworkService>

const caseOf = (given: string | null | undefined) => (given === NO_CASE ? null : given)

const noCase = () => new ApiError('not_found', { message: 'case_id: no such case of the caller', param: 'case_id' })

/** Returns the record; throws 404 when there is none. */
export function requireRecord<T>(given: T | null, kind: CaseworkKind): T {
  if (given === null) throw new ApiError('not_found', { message: `no such ${kind}, or no such entry in it` })
  return given
}
