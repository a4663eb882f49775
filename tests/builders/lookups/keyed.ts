/** Entities as an index is given them. */

import { digestOf, keyInto, newKey } from '../../../connectors/lookups/index/index-key.ts'
import type { IndexedEntity } from '../../../schemas/intelligence/state/present.ts'
import { encodeEntity } from '../../../schemas/intelligence/state/rows/entry.ts'
import { bytesOf, type KeyedEntry, packInto } from '../../../schemas/intelligence/state/rows/stored-rows.ts'

export const keyedEntry = (entity: IndexedEntity): KeyedEntry => ({
  key: keyInto(newKey(), digestOf(entity.value)),
  entry: Buffer.from(encodeEntity(entity)!),
})

/** The same in a record of rows. */
export function packed(entities: readonly IndexedEntity[]): Buffer {
  const parts = entities.map(({ value, ...entity }) => {
    const entry = encodeEntity({ value, ...entity })!
    const bytes = Buffer.alloc(bytesOf(entry))
    packInto(bytes, 0, digestOf(value), entry)
    return bytes
  })
  return Buffer.concat(parts)
}
