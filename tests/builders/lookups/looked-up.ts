/** What every reader is shown of entities by a look-up, to compare an index with what is stored. */

import { BUILT_IN } from '../../../schemas/intelligence/scoring/rules.ts'
import type { PresentRow, PresentView } from '../../../schemas/intelligence/state/present.ts'
import { presentViews } from '../../../schemas/intelligence/state/present.ts'

const byEntity = (a: PresentView, b: PresentView): number => (a.entityId < b.entityId ? -1 : 1)

const shown = (v: PresentView): string =>
  JSON.stringify([
    [v.entityId, v.value, v.reputation, v.accuracy, v.best, v.worst, v.wellKnown, v.covered, v.covers, v.tags],
    [Object.entries(v.attributes).sort(), v.firstSeen, v.lastSeen],
  ])

/** What a reader of these rows is shown. */
export const shownOf = (rows: readonly PresentRow[]): string[] => presentViews(rows, BUILT_IN).sort(byEntity).map(shown)

/** What an index says of these rows that the store does not. */
export function differencesOf(indexed: readonly PresentRow[], stored: readonly PresentRow[]): string[] {
  const [found, wanted] = [shownOf(indexed), shownOf(stored)]
  const missing = wanted.filter((text) => !found.includes(text)).map((text) => `- ${text}`)
  const extra = found.filter((text) => !wanted.includes(text)).map((text) => `+ ${text}`)
  return [...missing, ...extra]
}

/** All subsets of a list. */
export const subsets = <T>(of: readonly T[]): T[][] =>
  Array.from({ length: 2 ** of.length }, (_, bits) => of.filter((_, i) => (bits >> i) & 1))
