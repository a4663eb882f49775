import { formatDay } from '../../parts/time/day.ts'
import type { Record, Verdict } from './answers.ts'

const by = (userID: string, me: string | undefined): string => (userID === me ? 'by you' : 'by a colleague')

const ends = (until: string | undefined): string => (until === undefined ? '' : `, until ${formatDay(until)}`)

/** `benign, until 3 Dec 2026 – our own scanner (by you)`. @param me id of the caller */
export const verdictText = ({ verdict, until, reason, userID }: Verdict, me: string | undefined): string =>
  `${verdict}${ends(until)} – ${reason} (${by(userID, me)})`

type Given = Pick<Record, 'verdict' | 'reputation'>

/**
 * What a record of the history says about a verdict; null: it is a report. Whoever takes a verdict back gives neither
 * reputation nor reason.
 */
export function recordVerdict({ verdict, reputation = 0 }: Given): { title: string; reason: string } | null {
  if (verdict === undefined) return null
  const { reason, until } = verdict
  if (reputation === 0) return { title: 'Verdict taken back', reason }
  return { title: `Verdict given: ${reputation < 0 ? 'malicious' : 'benign'}${ends(until)}`, reason }
}
