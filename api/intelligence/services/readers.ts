import type { History } from '../../../connectors/history/port.ts'
import { type AudienceRow, readableAudiences } from '../../../connectors/history/sql/queries/audiences.ts'
import { promiseCache } from '../../../platform/promise-cache.ts'
import { audienceId } from '../../../schemas/intelligence/observations/audience.ts'

/** What a caller may read: the one place where groups become audiences; every query filters by `audiences`. */
export type Reader = {
  groups: readonly string[]
  audiences: readonly bigint[]
  /** `audiences` without public. */
  own: readonly bigint[]
  /** The groups of an audience that this reader is in: all that a record shows of `visibleBy` (decisions 2.4). */
  visibleBy(audience: bigint): string[]
}

const PUBLIC = audienceId(['public'])
const MAX_AUDIENCES = 10_000
const MAX_CACHED = 1_000

/**
 * Resolves a caller's groups to the audiences it may read. Remembered for `ttlMs`: staleness can only hide an audience
 * that is new, since groups are looked up by each request and an audience never changes its groups.
 */
export function readers(history: Pick<History, 'query'>, now: () => number, ttlMs = 1_000) {
  const cached = promiseCache<Reader>({ max: MAX_CACHED, ttlMs, now })

  async function resolve(groups: readonly string[]): Promise<Reader> {
    const own = new Map<bigint, string[]>()
    const assigned = groups.filter((g) => g !== 'public')
    if (assigned.length > 0)
      for (const row of await history.query<AudienceRow>(readableAudiences(assigned, MAX_AUDIENCES)))
        own.set(BigInt(row.audience), row.groups.filter((g) => assigned.includes(g)).sort())
    return {
      groups,
      audiences: [PUBLIC, ...own.keys()],
      own: [...own.keys()],
      visibleBy: (audience) => (audience === PUBLIC ? ['public'] : (own.get(audience) ?? [])),
    }
  }

  return {
    of(groups: readonly string[]): Promise<Reader> {
      return cached.get(keyOf(groups), () => resolve(groups))
    },
  }
}

/** Most callers have one group or none. */
const keyOf = (groups: readonly string[]): string =>
  groups.length === 1 ? `one ${groups[0]}` : JSON.stringify([...groups].sort())

export type Readers = ReturnType<typeof readers>
