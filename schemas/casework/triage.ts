/** What a team did about the entities of triage (ADR 239). Pure. */

/** Whose it is: one for all members of a customer; a user without a customer has its own. UUIDs. */
export type TriageOwner = { kind: 'customer' | 'user'; id: string }

/** What is noted of an entity; one of which nothing is noted has none. Times are unix milliseconds. */
export type TriageState = {
  entityId: string
  /** Dealt with, and the reputation that was seen then. null: open. */
  handled: { at: number; by: string; reputation: number } | null
  /** Id of the user who is to look at it; null: nobody. */
  assignee: string | null
  note: string
  updatedAt: number
}

/** What does not stand here stays as it is. */
export type TriageChange = { handled?: boolean; assignee?: string | null; note?: string }

/** An entity and the reputation that its reader saw. */
export type SeenEntity = { id: string; reputation: number }

/** Entities that one change names. */
export const MAX_CHANGED = 100
/** Entities that one question asks about. */
export const MAX_ASKED = 500
/** Entities of one owner that are kept; beyond that the ones changed longest ago are forgotten. */
export const MAX_KEPT = 10_000
/** A state that nobody changes is forgotten after so long, in milliseconds. */
export const TRIAGE_KEPT_MS = 90 * 86_400_000
export const MAX_TRIAGE_NOTE = 2_000

/** Handled until the score gets worse than the one that was seen: then the entity is open again. */
export const isHandled = ({ handled }: Pick<TriageState, 'handled'>, reputation: number): boolean =>
  handled !== null && reputation >= handled.reputation
