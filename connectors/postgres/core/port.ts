/** Which work commits have left for workers, of this process and of others: a hint, which may get lost (ADR 189). */

/** As the triggers of migrations 0019 and 0023 name them; `audit` is rung by the process that stored something. */
export type WorkKind = 'outbox' | 'webhooks' | 'instances' | 'lifecycle' | 'scans' | 'deliveries' | 'audit'

export interface WorkSignals {
  /**
   * Calls `ring` after each commit that left work of this kind, and when such a commit may have gone unheard.
   * @returns ends it
   */
  on(kind: WorkKind, ring: () => void): () => void
  /** How long a worker without work waits for a ring, milliseconds: `deafMs` while commits are not heard of. */
  patienceMs(deafMs: number): number
}

/** Nothing is ever heard: workers look as often as they would on a database without notifications. */
export const unheard: WorkSignals = { on: () => () => undefined, patienceMs: (deafMs) => deafMs }
