import { accuracyLabel, reputationLabel, scoreLabel } from '../../../../schemas/intelligence/entities/labels.ts'

export { accuracyLabel, reputationLabel }

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

/** The score of an entity in words; a 0 that nobody claims has no number (ADR 269). */
export const scoreText = (reputation: number, accuracy?: number): string =>
  reputation !== 0 || (accuracy ?? 0) > 0 ? claimText(reputation) : scoreLabel(reputation, accuracy)
