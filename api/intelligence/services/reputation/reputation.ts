/** Reputation of many values at once (decisions 18.2, 18.3). */

import type { Lookups, RowsByValue } from '../../../../connectors/lookups/port.ts'
import { type Above, type Asked, askedOf } from '../../../../schemas/intelligence/reputation/asked.ts'
import {
  decides,
  entityAbove,
  ownEntity,
  type Verdict,
  verdictOf,
} from '../../../../schemas/intelligence/reputation/who-decides.ts'
import type { Scoring } from '../../../../schemas/intelligence/scoring/rules.ts'
import type { PresentView } from '../../../../schemas/intelligence/state/present.ts'
import { presentViews } from '../../../../schemas/intelligence/state/present.ts'

/** Values that are answered at once: some milliseconds of the process, and one statement where the store is asked. */
const AT_ONCE = { index: 512, store: 4_096 }

/** How many values are best asked for together. */
export const portionOf = ({ by }: Pick<Lookups, 'by'>): number => AT_ONCE[by]

type Undecided = { asked: Asked; own: PresentView | null }

const isBelowSomething = ({ levels, within }: Above): boolean => levels.length > 0 || within !== null

export function reputations(scoring: Scoring) {
  /**
   * What each value is answered with, in order. Meant for `portionOf` values; a value that comes again is looked up once.
   * Three rounds of questions at most: the values themselves, the names and addresses above those that nothing decides
   * for, and the networks around them.
   * @throws what the look-ups throw
   */
  return async (lookups: Lookups, audiences: readonly bigint[], values: readonly string[]): Promise<Verdict[]> => {
    const rules = await scoring()
    const views = new Map<string, readonly PresentView[]>()
    const verdicts = new Map<string, Verdict>()

    const learn = (found: RowsByValue): void => {
      for (const [value, rows] of found) views.set(value, presentViews(rows, rules))
    }

    const asked: Asked[] = []
    const forms = new Set<string>()
    for (const value of new Set(values)) {
      const one = askedOf(value)
      asked.push(one)
      for (const form of one.own) forms.add(form.value)
      for (const form of one.texts) forms.add(form.value)
    }
    if (forms.size > 0) learn(await lookups.rows(forms, audiences))

    const undecided: Undecided[] = []
    const above = new Set<string>()
    for (const one of asked) {
      const own = ownEntity(one, views)
      if ((own !== null && decides(own)) || !isBelowSomething(one.above)) {
        verdicts.set(one.value, verdictOf(one, own, null))
        continue
      }
      undecided.push({ asked: one, own })
      for (const level of one.above.levels) above.add(level.value)
    }
    if (above.size > 0) learn(await lookups.rows(above, audiences))

    const below: Undecided[] = []
    for (const one of undecided) {
      const by = entityAbove(one.asked, [], views)
      if (by === null && one.asked.above.within !== null) below.push(one)
      else verdicts.set(one.asked.value, verdictOf(one.asked, one.own, by))
    }
    if (below.length > 0) await decideByNetworks(below)
    return values.map((value) => verdicts.get(value)!)

    async function decideByNetworks(below: readonly Undecided[]): Promise<void> {
      const inner = new Map(below.map(({ asked }) => [asked.above.within!.value, asked.above.within!]))
      const around = await lookups.around([...inner.values()], audiences)
      if (around.size > 0) learn(await lookups.rows(new Set([...around.values()].flat()), audiences))
      for (const { asked, own } of below) {
        const networks = around.get(asked.above.within!.value) ?? []
        verdicts.set(asked.value, verdictOf(asked, own, entityAbove(asked, networks, views)))
      }
    }
  }
}

export type Reputations = ReturnType<typeof reputations>
