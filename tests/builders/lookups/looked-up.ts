/** What every reader is shown of entities by a look-up, to compare an index with what is stored. */

import { BUILT_IN } from '../../../schemas/intelligence/scoring/rules.ts'
import type { PresentRow, PresentView } from '../../../schemas/intelligence/state/present.ts'
import { presentViews } from '../../../schemas/intelligence/state/present.ts'
import { HOUR } from '../intelligence/observation.ts'

/** As far as a reputation shows it; `text` is all but when it was last seen. */
type Shown = { text: string; lastSeen: number }

const byEntity = (a: PresentView, b: PresentView): number => (a.entityId < b.entityId ? -1 : 1)

const shown = (v: PresentView): Shown => ({
  text: [v.entityId, v.value, v.reputation, v.accuracy, v.wellKnown, v.covered, v.covers, v.tags, v.firstSeen].join(
    ' ',
  ),
  lastSeen: v.lastSeen,
})

/** What a reader of these rows is shown. */
export const shownOf = (rows: readonly PresentRow[]): Shown[] => presentViews(rows, BUILT_IN).sort(byEntity).map(shown)

/** What an index says of these rows that the store does not: of what was seen last it may be an hour behind. */
export function differencesOf(indexed: readonly PresentRow[], stored: readonly PresentRow[]): string[] {
  const [found, wanted] = [shownOf(indexed), shownOf(stored)]
  const missing = wanted.filter(({ text }) => !found.some((one) => one.text === text)).map(({ text }) => `- ${text}`)
  const extra = found.flatMap(({ text, lastSeen }) => {
    const one = wanted.find((other) => other.text === text)
    if (one === undefined) return [`+ ${text}`]
    const behind = one.lastSeen - lastSeen
    return behind < 0 || behind > HOUR ? [`${text}: seen ${behind} ms before`] : []
  })
  return [...missing, ...extra]
}

/** All subsets of a list. */
export const subsets = <T>(of: readonly T[]): T[][] =>
  Array.from({ length: 2 ** of.length }, (_, bits) => of.filter((_, i) => (bits >> i) & 1))
