/** What a route declares for the audit log (decisions 16.2, ADR 278). */

/** Where the id of the subject is: a parameter of the path, a member of the body, or what the request says by `aboutId`. */
export type SubjectFrom =
  | { param: string }
  | { body: string }
  /** What was made: the first id that the request gave. */
  | 'made'
  | 'caller'
  | 'customer'
  /** The feed of a download token, else a parameter of the path. */
  | { feed: string }
  | null

export type Action = {
  action: string
  subject: SubjectFrom
  /** Statuses beside 401 and 403 that refuse what was tried. */
  refusals?: readonly number[]
} & (
  | {
      /**
       * PostgreSQL decides: the record commits with the first change of one of these tables; behind `insert`, `update` or
       * `delete` only that counts.
       */
      kind: 'change'
      tables: readonly string[]
    }
  /** The state is on the log: the record is stored before anything is sent. */
  | { kind: 'ahead' }
  /** Something leaves: the record is stored a moment after the answer began. */
  | { kind: 'read' }
)

export const change = (action: string, tables: string | readonly string[], subject: SubjectFrom): Action => ({
  kind: 'change',
  action,
  tables: typeof tables === 'string' ? [tables] : tables,
  subject,
})

export const ahead = (action: string, subject: SubjectFrom): Action => ({ kind: 'ahead', action, subject })

export const read = (action: string, subject: SubjectFrom): Action => ({ kind: 'read', action, subject })

/** The same with further statuses that are refusals. */
export const refusing = (of: Action, ...refusals: number[]): Action => ({ ...of, refusals })

/** A route that is no GET and leaves no record but its refusals, with the reason. */
export type NotAudited = { kind: 'none'; why: string }

export const notAudited = (why: string): NotAudited => ({ kind: 'none', why })

/** Reasons of several routes. */
export const SEARCH = 'a question with a body: it changes nothing'
export const REPORT = 'a report is a record of the log itself, which names its author'

/** Refusals of routes that have no action: who may not enter at all, and who may not do that. */
export const REFUSED = { 401: 'credentials.refused', 403: 'permission.refused' } as const
