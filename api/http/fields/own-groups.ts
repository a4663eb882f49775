import { Type } from 'typebox'
import { MAX_GROUP_LENGTH, MAX_GROUPS } from '../../../schemas/intelligence/observations/audience.ts'
import { ApiError } from '../errors.ts'
import { text } from './common.ts'

/** Groups of a reader that a body names. */
export const readerGroups = (description: string) =>
  Type.Array(text(1, MAX_GROUP_LENGTH), { minItems: 1, maxItems: MAX_GROUPS, description })

/**
 * Groups of a reader, sorted and distinct; default: all of the caller (decisions 11.1). Throws 403 that names a group
 * of others.
 * @param path what they are called in their body
 */
export function ownGroups(own: readonly string[], given: readonly string[] = own, path = 'groups'): string[] {
  const foreign = given.findIndex((group) => !own.includes(group))
  if (foreign >= 0) {
    const param = `${path}[${foreign}]`
    throw new ApiError('forbidden', { message: `${param}: is not a group of the caller`, param })
  }
  return [...new Set(given)].sort()
}
