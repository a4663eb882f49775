/** What the routes of TAXII have in common (decisions 15.2). */

import { Type } from 'typebox'
import { TAXII, TAXII_MEDIA } from '../../http/answers/taxii-errors.ts'
import type { ErrorCode } from '../../http/errors.ts'
import type { MediaResponse } from '../../http/route.ts'

export const ROOT = `${TAXII}harrier/`
export const COLLECTION = `${ROOT}collections/{id}/`

export const common = {
  tag: 'TAXII',
  access: 'anyone',
  scope: 'feeds:read',
  limit: { service: 'feeds-api', features: ['taxii_per_minute'] },
} as const

/** Errors of reads, and of reads of pages. */
export const READS: readonly ErrorCode[] = ['not_acceptable', 'forbidden', 'not_found']
export const PAGES: readonly ErrorCode[] = [...READS, 'bad_cursor']

export const collectionId = Type.String({
  minLength: 1,
  maxLength: 64,
  description: 'UUID of the collection, which is that of the feed; `inbox`, or its UUID, for the inbox',
})

export const taxii = (description: string): MediaResponse => ({ media: TAXII_MEDIA, description })
