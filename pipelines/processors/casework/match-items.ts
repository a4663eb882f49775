import type { KnownItem } from './watched.ts'

/** Items that watch matches, by whose matches: `customer:<id>` or `user:<id>`, as match.events names owners. */
export type MatchItems = {
  add(item: KnownItem): void
  remove(item: KnownItem): void
  of(owner: string): Iterable<KnownItem>
  size(): number
}

const NONE: readonly KnownItem[] = []

export function matchItems(): MatchItems {
  const byOwner = new Map<string, Set<KnownItem>>()
  let size = 0
  /** What a user met before it was in a customer is still its own. */
  const ownersOf = ({ list: { owner } }: KnownItem): string[] => [
    `customer:${owner.customerId}`,
    `user:${owner.userId}`,
  ]

  return {
    add(item) {
      size++
      for (const owner of ownersOf(item)) byOwner.set(owner, (byOwner.get(owner) ?? new Set()).add(item))
    },
    remove(item) {
      size--
      for (const owner of ownersOf(item)) {
        const those = byOwner.get(owner)
        those?.delete(item)
        if (those?.size === 0) byOwner.delete(owner)
      }
    },
    of: (owner) => byOwner.get(owner) ?? NONE,
    size: () => size,
  }
}
