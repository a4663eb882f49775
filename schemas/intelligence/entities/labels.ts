/** The word beside a score (decisions 4). Clients decide by the number; the words are for people. */

const REPUTATION = ['Alarming', 'Bad', 'Poor', 'Indefinable', 'Normal', 'Good', 'Excellent'] as const
const ACCURACY = ['None', 'Low', 'Medium', 'High'] as const

/** @param reputation integer -3..3; anything else is a fault of the caller: RangeError */
export function reputationLabel(reputation: number): (typeof REPUTATION)[number] {
  const label = REPUTATION[reputation + 3]
  if (label === undefined) throw new RangeError(`reputation must be an integer -3..3: ${reputation}`)
  return label
}

/** @param accuracy integer 0..3; anything else is a fault of the caller: RangeError */
export function accuracyLabel(accuracy: number): (typeof ACCURACY)[number] {
  const label = ACCURACY[accuracy]
  if (label === undefined) throw new RangeError(`accuracy must be an integer 0..3: ${accuracy}`)
  return label
}

const SEEN_ONLY = 'Seen, no verdict'
const NO_VERDICT = 'No verdict'

/**
 * The word of a score. Reputation 0 without accuracy is nobody's claim: the entity was only seen, what was said has
 * faded, or the sources contradict each other (ADR 269).
 * @param accuracy undefined: not known, as in alerts; then nobody knows either whether somebody claims a 0
 */
export function scoreLabel(reputation: number, accuracy?: number): string {
  if (reputation !== 0 || (accuracy ?? 0) > 0) return reputationLabel(reputation)
  return accuracy === undefined ? NO_VERDICT : SEEN_ONLY
}
