/**
 * Normal forms of before: what was reported under one is found under it still (ADR 258). The log keeps records for ever,
 * and an id is the digest of its value.
 */

import { definitionOf } from './catalogue.ts'
import { earlierUrl, withoutRoot } from './datatypes/url.ts'
import { entityId } from './id.ts'
import { entityOf } from './named.ts'
import { normalise } from './normalise.ts'

/** The form that a value in normal form had before: of a URL with an empty path, without its `/`. Null for all others. */
export const earlierForm = (type: string, value: string): string | null => (isUrl(type) ? withoutRoot(value) : null)

/**
 * Ids under which the thing may be known that a type and a value in normal form name: its own first, then that of before,
 * as long as something is kept under it.
 */
export function entityIds(type: string, value: string): readonly string[] {
  const own = entityOf(type, value)
  const earlier = own.type === type ? earlierForm(type, value) : value
  const id = entityId(own.type, own.value)
  return earlier === null ? [id] : [id, entityId(type, earlier)]
}

/** Whether a record of the log may have the value: in its normal form, or in one of before. */
export const isStoredForm = (type: string, value: string): boolean =>
  normalise(type, value) === value || (isUrl(type) && earlierUrl(value) === value) || isBroadcast(type, value)

const dataTypeOf = (type: string) => definitionOf(type)?.dataType
const isUrl = (type: string): boolean => dataTypeOf(type) === 'URL'

/** The broadcast address, which is refused now. */
const isBroadcast = (type: string, value: string): boolean =>
  (value === '255.255.255.255' && dataTypeOf(type) === 'IP') ||
  (value === '255.255.255.255/32' && dataTypeOf(type) === 'CIDR')
