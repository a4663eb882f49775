/** Entities as an index is given them. */

import { encodeEntity } from '../../../connectors/lookups/index/entry.ts'
import { digestOf, keyInto, newKey } from '../../../connectors/lookups/index/index-key.ts'
import type { KeyedEntry } from '../../../connectors/lookups/port.ts'
import type { IndexedEntity } from '../../../schemas/intelligence/state/present.ts'

export const keyedEntry = (entity: IndexedEntity): KeyedEntry => ({
  key: keyInto(newKey(), digestOf(entity.value)),
  entry: Buffer.from(encodeEntity(entity)!),
})

/** The same in a record of rows. */
export function packed(entities: readonly IndexedEntity[]): Buffer {
  const parts = entities.map(keyedEntry).flatMap(({ key, entry }) => {
    const length = Buffer.alloc(4)
    length.writeUInt32LE(entry.length)
    return [key, length, entry]
  })
  return Buffer.concat(parts)
}
