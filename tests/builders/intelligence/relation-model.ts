/** What a caller should be told of relations, from the reports that it may read alone. */

import type { Report } from './reader-model.ts'

type End = { value: string; reputation: number; accuracy: number }

/** Each relation once, with the times and the groups of those reports that state it. */
function relationsOf(readable: readonly Report[], groups: readonly string[]) {
  const stated = readable.flatMap((r) => r.links.map((link) => ({ ...r, link })))
  return [...Map.groupBy(stated, (r) => `${r.entityId} ${r.link.entityId} ${r.link.mode}`).values()].map((all) => ({
    source: all[0]!.entityId,
    target: all[0]!.link.entityId,
    mode: all[0]!.link.mode,
    relationships: [...new Set(all.flatMap((r) => r.link.relationship ?? []))].sort(),
    first: Math.min(...all.map((r) => r.observedAt)),
    last: Math.max(...all.map((r) => r.observedAt)),
    visibleBy: [...new Set(all.flatMap((r) => r.audience))]
      .filter((group) => group === 'public' || groups.includes(group))
      .sort(),
  }))
}

/** `viewById`: what the caller should see of each entity that it may read. */
export function relationModel(
  readable: readonly Report[],
  groups: readonly string[],
  viewById: ReadonlyMap<string, End>,
) {
  const relations = relationsOf(readable, groups)

  const ends = Map.groupBy(
    relations.flatMap((r) => [
      { id: r.source, end: r.target, r },
      { id: r.target, end: r.source, r },
    ]),
    ({ id }) => id,
  )

  /** Relations of one entity, newest first. */
  const around = (id: string) =>
    (ends.get(id) ?? [])
      .map(({ end, r }) => {
        const { value = null, reputation = null, accuracy = null } = viewById.get(end) ?? {}
        return { ...r, value, reputation, accuracy }
      })
      .sort((a, b) => b.last - a.last || (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))

  /** Level by level, everything that can be seen. */
  function near(root: string, levels: number) {
    const level = new Map([[root, 0]])
    for (let n = 1; n <= levels; n++)
      for (const [from, at] of [...level])
        if (at === n - 1)
          for (const { end } of ends.get(from) ?? []) if (viewById.has(end) && !level.has(end)) level.set(end, n)
    return level
  }

  return { relations, around, near }
}
