import { accuracyLabel, NO_VERDICT, reputationLabel } from '../../../../schemas/intelligence/entities/labels.ts'

export { accuracyLabel, NO_VERDICT, reputationLabel }

/** Reputations differ in word, sign and shade, so colour alone carries no meaning. */
const COLOURS = ['red', 'red', 'orange', 'gray', 'teal', 'teal', 'green'] as const
const SIGNS = ['▼▼▼', '▼▼', '▼', '◆', '▲', '▲▲', '▲▲▲'] as const

/** @param reputation integer -3..3 */
export const reputationColour = (reputation: number): string => COLOURS[reputation + 3] ?? 'gray'
export const reputationSign = (reputation: number): string => SIGNS[reputation + 3] ?? '◆'
/** `-2` as people read it: `−2`; positive ones with their sign. */
export const formatReputation = (reputation: number): string =>
  reputation > 0 ? `+${reputation}` : reputation < 0 ? `−${-reputation}` : '0'

/** A claim in words: `Bad −2`, `Indefinable 0`. */
export const claimText = (reputation: number): string =>
  `${reputationLabel(reputation)} ${formatReputation(reputation)}`

/**
 * The score of an entity in words (ADR 238): what was only seen is not "Indefinable 0". Without an accuracy it is not
 * known whether anybody claims the 0.
 */
export function scoreText(reputation: number, accuracy?: number): string {
  if (reputation !== 0 || (accuracy ?? 0) > 0) return claimText(reputation)
  return accuracy === undefined ? 'No verdict' : NO_VERDICT
}
