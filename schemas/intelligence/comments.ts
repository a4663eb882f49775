import { PUBLIC, resolveVisibleBy, type VisibleBy } from './observations/audience.ts'

/**
 * Who may read a comment: as for a report, and of a reply nobody who may not read what it answers. A reply that names no
 * groups goes to those of its author that may.
 * @param defaults the own groups that are meant where none are named
 * @param parent the groups of the comment that is answered, which the author reads; null without one
 */
export function commentAudience(
  requested: readonly string[] | null | undefined,
  ownGroups: readonly string[],
  parent: readonly string[] | null,
  defaults: readonly string[] = ownGroups,
): VisibleBy {
  const bounded = parent !== null && !parent.includes(PUBLIC)
  if (!bounded) return resolveVisibleBy(requested, ownGroups, defaults)
  if (requested === null || requested === undefined)
    return resolveVisibleBy(
      undefined,
      defaults.filter((group) => parent.includes(group)),
    )
  const resolved = resolveVisibleBy(requested, ownGroups)
  const wider = resolved.ok ? resolved.audience.find((group) => !parent.includes(group)) : undefined
  if (wider === undefined) return resolved
  const message = `visibleBy names the group ${wider}, which may not read the parent comment`
  return { ok: false, kind: 'invalid', param: 'visibleBy', message }
}
