import type { EventLog } from '../../../connectors/log/port.ts'
import type { PromotedRules } from '../../../schemas/intelligence/scoring/rules-timeline.ts'
import { decoder } from '../../../schemas/log/codec.ts'
import { records } from '../../../schemas/log/records.ts'
import { SCORING_RULES } from '../../../schemas/log/topics.ts'

/** Promotions are rare; more of them than this are not rules any more. */
const MOST = 10_000

/**
 * Every promotion of scoring rules on the log, oldest first (ADR 131).
 * @throws Error when a record cannot be read, or the last one is not what is `inForce` (JSON, empty: built-in)
 */
export async function promotedRules(
  log: Pick<EventLog, 'offsets' | 'read'>,
  schemaId: number,
  inForce: string,
): Promise<PromotedRules[]> {
  const decode = decoder<PromotedRules>(records.scoringRules, (id) =>
    id === schemaId ? records.scoringRules : undefined,
  )
  const promoted: PromotedRules[] = []
  for (const { partition, low, high } of await log.offsets(SCORING_RULES))
    for (const { value, offset } of await log.read(SCORING_RULES, partition, low, high, MOST)) {
      const decoded = value === null ? { ok: false as const, reason: 'no value' } : decode(value)
      if (!decoded.ok) throw new Error(`cannot read ${SCORING_RULES}/${offset}: ${decoded.reason}`)
      promoted.push(decoded.record)
    }
  if ((promoted.at(-1)?.rules ?? '') !== inForce)
    throw new Error(
      "the log does not contain the active scoring rules; run 'rescore show' to complete the interrupted promotion",
    )
  return promoted
}
