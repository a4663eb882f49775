/** Look-ups in rows of a test. */

import type { Lookups } from '../../../connectors/lookups/port.ts'
import { entityId } from '../../../schemas/intelligence/entities/id.ts'
import { audienceId } from '../../../schemas/intelligence/observations/audience.ts'
import { networksAround, sortNetworks } from '../../../schemas/intelligence/propagation/networks.ts'
import { type EntityState, entityKey } from '../../../schemas/intelligence/state/entity-state.ts'
import type { PresentRow } from '../../../schemas/intelligence/state/present.ts'
import { entityRow } from '../intelligence/entity-row.ts'

export const PUBLIC_AUDIENCE = audienceId(['public'])

/** The row of an entity for everybody, or for the audience that is given. */
export const presentRow = (type: string, value: string, given: Partial<EntityState> = {}): PresentRow =>
  entityRow({ audience: PUBLIC_AUDIENCE, ...given, type, value, entityId: entityId(type, value) })

/** Answers as an index or the store does, from these rows. */
export function memoryLookups(rows: readonly PresentRow[], by: Lookups['by'] = 'index'): Lookups {
  const readable = (audiences: readonly bigint[]) => rows.filter(({ audience }) => audiences.includes(audience))
  const byValue = async (values: ReadonlySet<string>, audiences: readonly bigint[]) =>
    Map.groupBy(
      readable(audiences).filter(({ value }) => values.has(value)),
      ({ value }) => value,
    )
  return {
    by,
    rows: byValue,
    wholeRows: byValue,
    entities: async (ids, audiences) =>
      Map.groupBy(
        readable(audiences).filter((row) => ids.includes(row.entityId)),
        (row) => row.entityId,
      ),
    keyed: async (keys, audiences) => readable(audiences).filter((row) => keys.includes(entityKey(row.entityId))),
    around: async (inner, audiences) => {
      const networks = readable(audiences).filter(({ type }) => type === 'cidr')
      const distinct = new Map(networks.map((row) => [row.value, row]))
      const found = networksAround(inner, sortNetworks([...distinct.values()]))
      return new Map(
        Array.from(found, ([value, of]) => [value, of.map((one) => one.value).filter((one) => one !== value)]),
      )
    },
  }
}
