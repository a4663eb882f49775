/** Errors of TAXII 2.1 (3.6.1), whose fields stand beside ours (decisions 15.2). */

import { type ApiError, errorBody } from '../errors.ts'

/** Everything below it answers as TAXII does. */
export const TAXII = '/taxii2/'
export const TAXII_MEDIA = 'application/taxii+json;version=2.1'

export const isTaxii = (path: string): boolean => path.startsWith(TAXII) || path === TAXII.slice(0, -1)

/** Body of an error as TAXII clients read it, as JSON text. `id` is that of ours. */
export function taxiiErrorText(error: ApiError, id: string): string {
  const body = errorBody(error, id)
  return JSON.stringify({
    title: body.error.code.replaceAll('_', ' '),
    description: body.error.message,
    error_id: id,
    error_code: error.code,
    http_status: String(error.status),
    ...body,
  })
}
