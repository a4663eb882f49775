const PUBLIC = 'public'

/** The default audience of a report: the caller's own groups; `public` only for a caller without any. */
export function defaultAudience(groups: readonly string[]): string[] {
  const own = groups.filter((group) => group !== PUBLIC)
  return own.length === 0 ? [PUBLIC] : own
}

/** The caller's groups that may read the parent comment; all groups if everyone may read it. */
export const groupsWithin = (groups: readonly string[], parent: readonly string[] | null): string[] =>
  parent === null || parent.includes(PUBLIC) ? [...groups] : groups.filter((group) => parent.includes(group))
