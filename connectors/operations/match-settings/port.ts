import type { OwnerSettings } from '../../../schemas/match/settings.ts'

/** The settings of every owner of telemetry, on a compacted topic: the API and the job that matches read the same. */
export interface MatchSettingsTable {
  /** Takes in whatever was put before this call. @throws what the log throws; then the next call does it */
  refresh(): Promise<void>
  /** As it was last taken in. */
  get(owner: string): OwnerSettings | undefined
  all(): readonly OwnerSettings[]
  /** Owners that were removed and did not come back; compaction forgets them after a while. */
  ended(): readonly string[]
  /**
   * Durable and taken in once it resolves. Those of another process hold, and `get` has them, when they came first with
   * the same revision.
   */
  put(settings: OwnerSettings): Promise<void>
  /** The owner is gone: with its settings go its ledger and its matches. */
  remove(owner: string): Promise<void>
}
