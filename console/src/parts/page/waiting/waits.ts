/** What waits for the caller, and at which entry of the menus that is said. */

/** As the platform counts it for operators; null: not asked, or no answer yet. */
export type Waiting = { deadLetters: number; breakers: number; isolatedSources: number } | null

/** Of one entry: how many, and what they are. */
export type Wait = { count: number; text: string }

/** Larger numbers do not fit beside a label. */
const MOST = 99

const some = (count: number, one: string, many: string): Wait[] =>
  count > 0 ? [{ count, text: `${count} ${count === 1 ? one : many}` }] : []

/** All of them as one; null: nothing waits, so there is nothing to show. */
function together(waits: readonly Wait[]): Wait | null {
  if (waits.length === 0) return null
  return { count: waits.reduce((sum, { count }) => sum + count, 0), text: waits.map(({ text }) => text).join(', ') }
}

/**
 * What waits behind each entry, by its address. Entries behind which nothing waits are not in it.
 * @param held how many of the caller's published feeds are held by a guard
 */
export function waitsOf(waiting: Waiting, held: number): ReadonlyMap<string, Wait> {
  const letters = some(waiting?.deadLetters ?? 0, 'dead letter waits', 'dead letters wait')
  const breakers = [
    ...some(waiting?.breakers ?? 0, 'breaker is open', 'breakers are open'),
    ...some(waiting?.isolatedSources ?? 0, 'source is isolated', 'sources are isolated'),
  ]
  const found: [string, Wait | null][] = [
    ['/operations', together([...breakers, ...letters])],
    ['/operations/breakers', together(breakers)],
    ['/operations/dead-letters', together(letters)],
    ['/feeds', together(some(held, 'feed is held', 'feeds are held'))],
  ]
  return new Map(found.filter((entry): entry is [string, Wait] => entry[1] !== null))
}

/** The number on a badge. */
export const badgeText = (count: number): string => (count > MOST ? `${MOST}+` : String(count))
