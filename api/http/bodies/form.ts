/** A form as a body (application/x-www-form-urlencoded): what servers of OpenID Connect send. */

import type { IncomingMessage } from 'node:http'
import { ApiError, invalid } from '../errors.ts'
import { readBytes, refuseCompressed } from './body.ts'
import type { Held } from './body-room.ts'

/** The `bodyMedia` of a route that takes a form. */
export const FORM = 'application/x-www-form-urlencoded'

const MAX_BYTES = 64 * 1024
const MAX_FIELDS = 100

/**
 * Fields by name. Throws 400 for a field that comes twice, 413 for a long body, 415 for another kind of body, and what `held`
 * refuses; its room is given back.
 */
export async function readForm(request: IncomingMessage, held: Held): Promise<Record<string, string>> {
  refuseCompressed(request)
  const [media] = (request.headers['content-type'] ?? '').split(';')
  if (media!.trim().toLowerCase() !== FORM) {
    throw new ApiError('unsupported_media_type', { message: `content-type must be ${FORM}` })
  }
  const fields: Record<string, string> = Object.create(null)
  const bytes = await readBytes(request, held, MAX_BYTES).finally(held.release)
  const sent = new URLSearchParams(bytes.toString('utf8'))
  if (sent.size > MAX_FIELDS) throw invalid('body', `has more than ${MAX_FIELDS} fields`)
  for (const [name, value] of sent) {
    if (name in fields) throw invalid(name, 'is given more than once')
    fields[name] = value
  }
  return fields
}
