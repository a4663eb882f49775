/** What a verdict is in a record of the log and in the history (decisions 17.1; ADR 208). */

import type { Observation } from './observation.ts'

/** Longest reason, in characters. */
export const MAX_REASON = 2_000
/** 3,650 days. */
export const MAX_VERDICT_MS = 3_650 * 86_400_000

export const VERDICTS = { malicious: -3, benign: 3 } as const
export type Verdict = keyof typeof VERDICTS

/** The word for a reputation of a verdict. */
export const verdictOf = (reputation: number): Verdict => (reputation < 0 ? 'malicious' : 'benign')

/** Names under which the history keeps the terms of a verdict; no attribute of a report can be called so. */
export const REASON = '~reason'
export const UNTIL = '~until'
/** The same of a record that is a match (ADR 219). */
const MATCH = '~match'

/** Whether attributes that the history keeps are those of a match. */
export const isKeptMatch = (attributes: Readonly<Record<string, string>>): boolean => attributes[MATCH] !== undefined

/** What the history keeps as attributes of a record. */
export function keptAttributes({
  attributes,
  verdict,
  kind,
}: Pick<Observation, 'attributes' | 'verdict'> & Partial<Pick<Observation, 'kind'>>): Record<string, string> {
  if (kind === 'match') return { [MATCH]: '' }
  if (verdict === null) return attributes
  return {
    [REASON]: verdict.reason,
    ...(verdict.until === 0 ? {} : { [UNTIL]: new Date(verdict.until).toISOString() }),
  }
}

/** The same read again: null for attributes of anything else. `until`: unix milliseconds, 0: no end. */
export function keptTerms(attributes: Readonly<Record<string, string>>): { reason: string; until: number } | null {
  const reason = attributes[REASON]
  const until = attributes[UNTIL]
  return reason === undefined ? null : { reason, until: until === undefined ? 0 : Date.parse(until) }
}
