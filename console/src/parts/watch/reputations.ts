import { reputationLabel } from '../entity/scores.ts'

/** The choice that asks for no reputation. */
export const ANY_REPUTATION = ''

const SHOWN = [2, 1, 0, -1, -2, -3]

/** `max_reputation` of an item, from any to the worst. */
export const REPUTATIONS: readonly { value: string; label: string }[] = [
  { value: ANY_REPUTATION, label: 'anything' },
  ...SHOWN.map((most) => ({ value: String(most), label: mostText(most) })),
]

/** `Bad (−2) or worse` */
export function mostText(most: number): string {
  const number = most < 0 ? `−${-most}` : String(most)
  return `${reputationLabel(most)} (${number})${most > -3 ? ' or worse' : ''}`
}
