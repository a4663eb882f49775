/** What one body holds: a message, or a batch where the version of the protocol has batches. */

import { MAX_ANSWER_BYTES } from '../../../schemas/assistants/packed.ts'
import { ApiError } from '../../http/errors.ts'

/** Messages of a batch: their answers share one body. */
export const MAX_BATCH = 10
/** Of each answer, what is around what a tool says. */
const ENVELOPE_BYTES = 1_024

/** The only version with batches, and the one that stands where none is said (MCP 2025-03-26). */
const WITH_BATCHES = '2025-03-26'

type Message = { id?: unknown; method?: unknown }

const isRequest = (message: Message): boolean => message.method !== undefined && message.id !== undefined

/**
 * How many bytes the answer to each message has room for. Throws 400 for a batch that the version does not have, and for
 * one of requests and notifications: a notification that cancels a request of the same batch would leave it without an end.
 */
export function roomOf(body: Message | readonly Message[], version: string | undefined): number {
  if (!Array.isArray(body)) return MAX_ANSWER_BYTES - ENVELOPE_BYTES
  if ((version ?? WITH_BATCHES) !== WITH_BATCHES)
    throw new ApiError('malformed_request', { message: 'this version of the protocol does not support batches' })
  const requests = body.filter(isRequest).length
  if (requests > 0 && requests < body.length)
    throw new ApiError('malformed_request', { message: 'a batch must contain only requests or only notifications' })
  return Math.floor(MAX_ANSWER_BYTES / body.length) - ENVELOPE_BYTES
}
