/** Why a tool has no answer, in words for whoever asked. */

import { visible } from '../../../schemas/casework/deliveries/defang.ts'
import { asApiError } from '../../http/errors.ts'

/** Longest reason, in characters: it may quote what the caller gave. */
const MAX_REASON = 500

export type Refusal = { error: { code: string; message: string; retryAfterSeconds?: number } }

/** What is told of anything that a tool throws. The cause of a fault is not. */
export function refusalOf(thrown: unknown): Refusal {
  const { code, message, retryAfter } = asApiError(thrown)
  const reason = visible(message).slice(0, MAX_REASON).toWellFormed()
  if (retryAfter === undefined) return { error: { code, message: reason } }
  const again = `${reason}: ask again in ${retryAfter} ${retryAfter === 1 ? 'second' : 'seconds'}`
  return { error: { code, message: again, retryAfterSeconds: retryAfter } }
}
