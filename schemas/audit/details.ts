/** What a record says of a change beside its action and subject: roles, groups, and how many entities (ADR 261). Pure. */

/**
 * Several of one kind: how many there were, and the first of them. `what` is a word of our own: `roles`, `groups`, `given`
 * and `taken` (groups), `entities`.
 */
export type AuditDetail = { what: string; count: number; first: readonly string[] }

/** Of more than these only the number is kept. */
export const MAX_FIRST = 10
/** Of a longer name the beginning is kept, in UTF-8. */
const MAX_NAME_BYTES = 128

/** Never half of a character, and never what the log would write in another way than it is hashed. */
const bounded = (name: string): string =>
  new TextDecoder().decode(Buffer.from(name).subarray(0, MAX_NAME_BYTES), { stream: true })

/** The detail of these roles, groups or ids; none of none. */
export const detail = (what: string, names: readonly string[]): AuditDetail[] =>
  names.length === 0 ? [] : [{ what, count: names.length, first: names.slice(0, MAX_FIRST).map(bounded) }]

/** As it is hashed: by places, so no two have one text. */
export const canonicalDetail = ({ what, count, first }: AuditDetail) => [what, count, first]
