export type PartitionLag = {
  group: string
  topic: string
  partition: number
  committed: number | null
  end: number
  lag: number
  oldestUnread: number | null
}

/** The lag of each group at one moment (unix milliseconds). */
export type LagSample = { at: number; byGroup: Readonly<Record<string, number>> }

/** Looks that are kept while the page is open: ten minutes of one every two seconds. */
export const MAX_SAMPLES = 300

/** Lag by group, partitions together. */
export function lagByGroup(stands: readonly PartitionLag[]): Record<string, number> {
  const sums: Record<string, number> = {}
  for (const { group, lag } of stands) sums[group] = (sums[group] ?? 0) + lag
  return sums
}

/** With one more look; of one moment there is one. The oldest are forgotten. */
export const addSample = (looks: readonly LagSample[], at: number, stands: readonly PartitionLag[]): LagSample[] =>
  looks.at(-1)?.at === at ? [...looks] : [...looks, { at, byGroup: lagByGroup(stands) }].slice(-MAX_SAMPLES)

/** Groups that were behind at any of the looks, worst first; a chart of the others says nothing. */
export function laggingGroups(looks: readonly LagSample[], most = 8): string[] {
  const worst = new Map<string, number>()
  for (const look of looks)
    for (const [group, lag] of Object.entries(look.byGroup)) worst.set(group, Math.max(worst.get(group) ?? 0, lag))
  return [...worst]
    .filter(([, lag]) => lag > 0)
    .toSorted(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
    .slice(0, most)
    .map(([group]) => group)
}
