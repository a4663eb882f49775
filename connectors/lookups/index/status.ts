import { ENTRY_FORM } from '../../../schemas/intelligence/state/rows/entry.ts'
import type { Environment } from './environment.ts'
import type { IndexFolder } from './index-folder.ts'

/**
 * `off`: switched off; `unasked`: nobody has asked yet; `refused`: it would be too large; `building`: it is made, or waits
 * for the platform to make it; `behind`: it lacks what is on the log, or is of other tables; `current`: look-ups read it.
 */
export type LookupIndexState = 'off' | 'unasked' | 'refused' | 'building' | 'behind' | 'current'

export type LookupIndexStatus = {
  state: LookupIndexState
  /** Bytes on the disk; 0 without an index. */
  bytes: number
  /** How old what it says may be; null without an index. */
  behindSeconds: number | null
  /** Values that it knows something of. */
  values: number
  /** ISO 8601; null without an index. */
  builtAt: string | null
  /** Why there is none. */
  reason: string | null
}

/** An index that is farther behind is not read (decisions 18.4), in milliseconds. */
export const BEHIND_MS = 2_000

const NONE = { bytes: 0, behindSeconds: null, values: 0, builtAt: null, reason: null }

export const SWITCHED_OFF: LookupIndexStatus = { ...NONE, state: 'off' }

/**
 * How the index of a host stands.
 * @param env the one that is current, open; null: there is none
 * @param now unix milliseconds
 */
export function indexStatus(
  folder: Pick<IndexFolder, 'askedAt' | 'refusal'>,
  env: Environment | null,
  { on, database, now }: { on: boolean; database: string | null; now: number },
): LookupIndexStatus {
  if (!on) return SWITCHED_OFF
  const refusal = folder.refusal()
  if (refusal !== null) return { ...NONE, state: 'refused', reason: refusal.reason }
  if (folder.askedAt() === null) return { ...NONE, state: 'unasked' }
  env?.refresh()
  const state = env?.state()
  if (env === null || state === undefined || state.form !== ENTRY_FORM) return { ...NONE, state: 'building' }
  const behind = Math.max(0, now - state.asOf)
  const isCurrent = behind <= BEHIND_MS && (database === null || state.database === database)
  return {
    state: isCurrent ? 'current' : 'behind',
    bytes: env.bytes(),
    behindSeconds: behind / 1_000,
    values: env.values(),
    builtAt: new Date(state.builtAt).toISOString(),
    reason: null,
  }
}
