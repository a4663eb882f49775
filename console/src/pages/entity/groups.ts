const PUBLIC = 'public'

/** The default audience of a report: the caller's own groups; `public` only for a caller without any. */
export function defaultAudience(groups: readonly string[]): string[] {
  const own = groups.filter((group) => group !== PUBLIC)
  return own.length === 0 ? [PUBLIC] : own
}

/** Of the caller's groups those that may read what is answered; who answers to everyone may choose freely. */
export const groupsWithin = (groups: readonly string[], parent: readonly string[] | null): string[] =>
  parent === null || parent.includes(PUBLIC) ? [...groups] : groups.filter((group) => parent.includes(group))
