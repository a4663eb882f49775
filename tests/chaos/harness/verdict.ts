import type { Positioned } from '../../../schemas/intelligence/state/stored.ts'
import type { Sent } from './ledger.ts'

export type Verdict = {
  sent: number
  acknowledged: number
  /** Without an answer; of these `recovered` arrived all the same. */
  unknown: number
  recovered: number
  refused: number
  /** Answered with a failure; whether they arrived is open. */
  failed: number
  /** Acknowledged, and not in the log, or not whole. */
  lost: number
  /** The first of the lost ones that carry a mark, to be looked at beside the times of the kills. */
  lostOps: readonly number[]
  /** More records in the log than were sent. */
  phantom: number
  /** Submissions of which only a part is in the log, and of these the acknowledged ones. */
  torn: number
  tornAcknowledged: number
}

/** Kinds of records that nobody sends. */
const APPENDED: ReadonlySet<string> = new Set(['covered', 'uncovered', 'tick', 'retraction', 'rescored'])
const MAX_LOST_OPS = 50

/** What became of every request, by what the log holds. The jobs append records of their own, which nobody sent. */
export function verdictOf(ledger: readonly Sent[], observations: readonly Positioned[]): Verdict {
  const sent = observations.filter(({ observation }) => !APPENDED.has(observation.kind))
  const submissions = Map.groupBy(sent, ({ observation }) => observation.submissionId)
  const marked = new Map<string, number[]>()
  const alike = new Map<string, number>()
  for (const records of submissions.values()) {
    const root = records.find(({ observation: o }) => o.attributes.text !== undefined) ?? records[0]!
    const { attributes, entityId, source } = root.observation
    if (attributes.text === undefined) {
      const key = `${entityId} ${source}`
      alike.set(key, (alike.get(key) ?? 0) + 1)
    } else marked.set(attributes.text, [...(marked.get(attributes.text) ?? []), records.length])
  }
  const verdict: Verdict = {
    sent: ledger.length,
    acknowledged: ledger.filter((s) => s.fate === 'acknowledged').length,
    unknown: ledger.filter((s) => s.fate === undefined).length,
    recovered: 0,
    refused: ledger.filter((s) => s.fate === 'refused').length,
    failed: ledger.filter((s) => s.fate === 'failed').length,
    lost: 0,
    lostOps: [],
    phantom: 0,
    torn: 0,
    tornAcknowledged: 0,
  }
  const lostOps: number[] = []
  for (const { op, mark, records, fate } of ledger.filter((s) => s.mark !== null)) {
    const found = marked.get(mark!) ?? []
    if (fate === 'acknowledged' && found.length === 0) {
      verdict.lost++
      if (lostOps.length < MAX_LOST_OPS) lostOps.push(op)
    }
    if (fate === undefined && found.length === 1) verdict.recovered++
    if (found.some((n) => n !== records)) {
      verdict.torn++
      if (fate === 'acknowledged') verdict.tornAcknowledged++
    }
    verdict.phantom += fate === 'refused' ? found.length : Math.max(0, found.length - 1)
    marked.delete(mark!)
  }
  verdict.phantom += marked.size
  const unmarked = ledger.filter((s) => s.mark === null)
  for (const [key, requests] of Map.groupBy(unmarked, (s) => `${s.entityId} ${s.source}`)) {
    const found = alike.get(key) ?? 0
    const acknowledged = requests.filter((s) => s.fate === 'acknowledged').length
    const possible = requests.filter((s) => s.fate !== 'refused').length
    verdict.lost += Math.max(0, acknowledged - found)
    verdict.phantom += Math.max(0, found - possible)
    verdict.recovered += Math.max(0, Math.min(found, possible) - acknowledged)
  }
  return { ...verdict, lostOps }
}
