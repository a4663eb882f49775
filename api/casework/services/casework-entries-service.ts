/** What belongs to records of casework: items, messages, turns, notes and pinned entities (ADR 280). */

import type { Paging } from '../../../connectors/postgres/accounts/team/port.ts'
import type { Added, CaseworkRecord, Entry } from '../../../connectors/postgres/casework/port.ts'
import type { Identity } from '../../../schemas/accounts/accounts.ts'
import {
  type CaseworkKind,
  type Content,
  type EntryKind,
  MAX_ENTRIES,
  SAME_TURN_MS,
} from '../../../schemas/casework/casework.ts'
import { ApiError } from '../../http/errors.ts'
import { type CaseworkPorts, ownerOf, requireRecord, windowOf } from './casework-service.ts'

/** Entries that one list of records carries, in all. */
const MAX_AMONG = 2_000

/** Of which record something is said, and which of its entries. */
export type EntriesOf = { kind: CaseworkKind; id: string; entries: EntryKind }

/** Every function throws 403 for a caller without a customer, and 404 for a record that is not the caller's. */
export function caseworkEntryService({ casework: { entries }, team, now, newId }: CaseworkPorts) {
  const owner = ownerOf(team)
  const placeOf = async (user: Identity, { kind, id }: EntriesOf) => ({ owner: await owner(user), kind, id })

  return {
    /**
     * Adds an entry, unless one with its key is there, or it is a turn that only repeats the last one.
     * Throws 409 when the record has as many as it may have.
     */
    async add(user: Identity, of: EntriesOf, content: Content, key: string | null): Promise<Added> {
      const at = now()
      const max = MAX_ENTRIES[of.entries]
      const same = of.entries === 'turn' ? { sameSince: at - SAME_TURN_MS } : {}
      const entry = { id: newId(), kind: of.entries, key, content, createdAt: at }
      const outcome = await entries.add(await placeOf(user, of), entry, { max, ...same })
      if (outcome === 'full')
        throw new ApiError('conflict', { message: `the ${of.kind} is full: at most ${max} entries of this kind` })
      return requireRecord(outcome === 'no record' ? null : outcome, of.kind)
    },

    /** In the order in which they were added. */
    list: async (user: Identity, of: EntriesOf, paging: Paging) =>
      requireRecord(await entries.list(await placeOf(user, of), of.entries, windowOf(paging)), of.kind),

    entry: async (user: Identity, of: EntriesOf, entryId: string) =>
      requireRecord(await entries.entry(await placeOf(user, of), of.entries, entryId), of.kind),

    async remove(user: Identity, of: EntriesOf, which: { id: string } | { key: string }): Promise<void> {
      requireRecord((await entries.remove(await placeOf(user, of), of.entries, which)) || null, of.kind)
    },

    /** All entries of one record, which is the caller's: no record holds more than the sum of what each kind may be. */
    of: async (record: CaseworkRecord, kinds: readonly EntryKind[]): Promise<Entry[]> =>
      (await entries.among([record], kinds, sumOf(kinds))).entries.get(record.id)!,

    /** Of records of the caller: of each its own in their order, of all together the first 2,000; and the true numbers. */
    among: (records: readonly CaseworkRecord[], kinds: readonly EntryKind[]) =>
      entries.among(records, kinds, MAX_AMONG),

    /** Turns of the caller's conversations that hold all of these words, newest first. */
    search: async (user: Identity, words: string, paging: Paging) =>
      entries.search(await owner(user), words, windowOf(paging)),
  }
}

export type CaseworkEntryService = ReturnType<typeof caseworkEntryService>

const sumOf = (kinds: readonly EntryKind[]): number => kinds.reduce((sum, kind) => sum + MAX_ENTRIES[kind], 0)
