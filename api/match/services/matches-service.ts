/** What an owner's telemetry met, and what it saw (decisions 14.3, 14.4). */

import type { LedgerRow, MatchReads, SeenTotal, ShownMatch } from '../../../connectors/history/match/port.ts'
import type { Identity } from '../../../schemas/accounts/accounts.ts'
import type { Seals } from '../../../schemas/cursors/seal.ts'
import { type MatchFilter, matchCursor, matchPlaceIn } from '../../../schemas/match/match-cursor.ts'
import { ApiError } from '../../http/errors.ts'
import type { SettingsService } from './settings-service.ts'

export type MatchesPorts = {
  matchReads: MatchReads
  settings: Pick<SettingsService, 'readable'>
  seals: () => Promise<Seals>
  now: () => number
}

/** `cursor` null: that was the last page. */
export type MatchPage = { matches: ShownMatch[]; cursor: string | null }

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

export function matchesService({ matchReads, settings, seals, now }: MatchesPorts) {
  return {
    /**
     * Matches of the caller's owner, newest first. Throws 400 for a cursor that is not of this list, 404 for a caller that
     * may not read them.
     */
    async page(
      user: Identity,
      { cursor, limit, ...filter }: MatchFilter & { cursor: string | null; limit: number },
    ): Promise<MatchPage> {
      const { owner } = await settings.readable(user)
      const sealed = await seals()
      const after = cursor === null ? null : matchPlaceIn(sealed, owner, filter, cursor)
      if (cursor !== null && after === null) throw new ApiError('bad_cursor', { param: 'cursor' })
      const question = { owner, groups: user.groups, ...filter, after, limit: limit + 1 }
      const found = await matchReads.matches(question)
      const matches = found.slice(0, limit)
      const last = matches.at(-1)
      const more = found.length > limit && last !== undefined
      return { matches, cursor: more ? matchCursor(sealed, owner, filter, last) : null }
    },

    /** Rows of the ledger that are kept, newest hour first. Throws 404 for a caller that may not read them. */
    async seen(
      user: Identity,
      { value, below, limit }: { value: string; below: boolean; limit: number },
    ): Promise<{ total: SeenTotal | null; rows: LedgerRow[] }> {
      const { owner, retentionDays } = await settings.readable(user)
      const oldest = now() - retentionDays * DAY_MS
      // The hour in which it lies is kept still.
      const since = oldest - (oldest % HOUR_MS)
      return matchReads.seen({ owner, value, below, since, limit })
    },
  }
}

export type MatchesService = ReturnType<typeof matchesService>
