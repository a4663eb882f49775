/** Which entity a tool is asked about. */

import { Type } from 'typebox'
import { definitionOf } from '../../../schemas/intelligence/entities/catalogue.ts'
import { entityIds } from '../../../schemas/intelligence/entities/earlier-forms.ts'
import { normalise } from '../../../schemas/intelligence/entities/normalise.ts'
import { detect } from '../../../schemas/intelligence/ingest/detect.ts'
import { refang } from '../../../schemas/intelligence/ingest/refang.ts'
import { invalid } from '../../http/errors.ts'
import { entityId as givenId } from '../../http/fields/common.ts'

/** Members of the arguments; one of `id` and `value` is given. */
export const subject = {
  id: Type.Optional({
    ...givenId,
    description: 'id of the entity, as returned by other tools; use it instead of value',
  }),
  value: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 65_536,
      description: 'an address, network, domain, URL, digest and so on, defanged or not; instead of id',
    }),
  ),
  type: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 64,
      description:
        'entity type of the value, such as ip, domain, url, sha256, malware; required if it cannot be detected from the value',
    }),
  ),
}

export type Subject = { id?: string; value?: string; type?: string }

/** The id of the entity. Throws a 400 that names what is wrong. */
export function subjectId({ id, value, type }: Subject): string {
  if (id !== undefined) {
    if (value !== undefined || type !== undefined) throw invalid('id', 'cannot be combined with value or type')
    return id
  }
  if (value === undefined) throw invalid('value', 'is required, unless id is given')
  const found = type === undefined ? detect(value) : { type, value: refang(value.trim()) }
  if (found === null) throw invalid('type', 'is required, because the type cannot be detected from the value')
  if (definitionOf(found.type) === undefined) throw invalid('type', 'is not an entity type of the catalogue')
  const normal = normalise(found.type, found.value)
  if (typeof normal !== 'string') throw invalid('value', normal.reason)
  return entityIds(found.type, normal)[0]!
}
