/** What teams did about entities, as rows of the accounts database (ADR 239). */

import type { SeenEntity, TriageChange, TriageOwner, TriageState } from '../../../../schemas/casework/triage.ts'

/** Whose state changes, and who does it. `hasRow` false: the administrator of the configuration, who is no user there. */
export type TriageActor = { owner: TriageOwner; userId: string; hasRow: boolean }

/** Somebody that an entity may be assigned to; the name is empty where none is known. */
export type TriageMember = { userId: string; name: string }

export interface Triage {
  /** The states of these entities, as far as there are any; in the order of their ids. */
  of(owner: TriageOwner, entityIds: readonly string[]): Promise<TriageState[]>
  /**
   * Changes what is noted of these entities, all or none, and forgets what is too old or too much. `no member`: the
   * membership, or the account, is gone. `no assignee`: the assignee is no member. Returns what is noted now.
   * @param now unix milliseconds
   */
  change(
    actor: TriageActor,
    entities: readonly SeenEntity[],
    change: TriageChange,
    now: number,
  ): Promise<TriageState[] | 'no member' | 'no assignee'>
  /** Members of the customer, or the user alone; by name. */
  members(owner: TriageOwner): Promise<TriageMember[]>
}
