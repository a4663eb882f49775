/** What a relation says of its ends, in the words of STIX: `uses`, `resolves-to` (decisions 15.3). */

/** Most characters of a relationship type. */
export const MAX_RELATIONSHIP = 100

/** As a pattern of a JSON schema; the length is bounded apart. */
export const RELATIONSHIP = '^[a-z0-9-]+$'

const FORM = new RegExp(RELATIONSHIP)

const isRelationship = (text: string): boolean => text.length <= MAX_RELATIONSHIP && FORM.test(text)

/** Why a text is no relationship type, fit to stand after the name of its parameter, or null (STIX 2.1, part 5.1). */
export const relationshipFault = (text: string): string | null =>
  isRelationship(text)
    ? null
    : `must be 1 to ${MAX_RELATIONSHIP} lower-case ASCII letters, digits and hyphens, such as resolves-to`

/**
 * The relationship type that a text of a feed means: in lower case, with hyphens for spaces and underscores. null where
 * it means none.
 */
export function asRelationship(raw: string): string | null {
  const text = raw
    .trim()
    .toLowerCase()
    .replace(/[\s_]+/g, '-')
  return isRelationship(text) ? text : null
}
