import { formatDay } from '../../../parts/time/day.ts'
import type { Record, Verdict } from '../answers.ts'

const by = (userID: string, me: string | undefined): string => (userID === me ? 'by you' : 'by a colleague')

const ends = (until: string | undefined): string => (until === undefined ? '' : `, until ${formatDay(until)}`)

/** `benign, until 3 Dec 2026 – our own scanner (by you)`. @param me id of the caller */
export const verdictText = ({ verdict, until, reason, userID }: Verdict, me: string | undefined): string =>
  `${verdict}${ends(until)} – ${reason} (${by(userID, me)})`

type Given = Pick<Record, 'verdict'>

/** What a record of the history says about a verdict; null: it is a report. */
export function recordVerdict({ verdict: record }: Given): { title: string; reason: string } | null {
  if (record === undefined) return null
  const { verdict, reason, until } = record
  return { title: verdict === null ? 'Verdict withdrawn' : `Verdict given: ${verdict}${ends(until)}`, reason }
}
