import type { KnownOwner } from './known-owners.ts'
import type { PresentViews } from './views.ts'

type Owners = readonly KnownOwner[]

/**
 * Owners that read the same of a change may read different rows of those that are stored now, where later changes brought
 * others: told apart by these. The same owners are the same list, so that entities are looked at together.
 */
export function sameReaders(
  present: Pick<PresentViews, 'audiencesOf'>,
): (owners: Owners, id: string) => readonly Owners[] {
  const known = new Map<Owners, Map<string, readonly Owners[]>>()
  return (owners, entityId) => {
    if (owners.length < 2) return [owners]
    const audiences = present.audiencesOf(entityId)
    const key = audiences.map((groups) => groups.join('\n')).join('\n\n')
    const those = known.get(owners) ?? new Map<string, readonly Owners[]>()
    known.set(owners, those)
    const found = those.get(key) ?? toldApart(owners, audiences)
    those.set(key, found)
    return found
  }
}

function toldApart(owners: Owners, audiences: readonly (readonly string[])[]): readonly Owners[] {
  const found = Map.groupBy(owners, ({ reader }) =>
    audiences.map((groups) => (reader.reads(groups) ? '1' : '0')).join(''),
  )
  return found.size < 2 ? [owners] : [...found.values()]
}
