import type { History } from '../../../../connectors/history/port.ts'
import { type ActivityRow, activityByDay } from '../../../../connectors/history/sql/queries/activity.ts'
import { stixBundle } from '../../../../schemas/exchange/stix/bundle.ts'
import { idSet } from '../../../../schemas/exchange/stix/id-set.ts'
import { namespaceOf } from '../../../../schemas/exchange/stix/ids.ts'
import type { StixFacts, StixItem, StixRelation } from '../../../../schemas/exchange/stix/item.ts'
import { objectsOf } from '../../../../schemas/exchange/stix/objects.ts'
import { PUBLIC, PUBLIC_AUDIENCE } from '../../../../schemas/intelligence/observations/audience.ts'
import type { EntityState } from '../../../../schemas/intelligence/state/entity-state.ts'
import { type EntityView, fold, isRetracted } from '../../../../schemas/intelligence/state/entity-view.ts'
import type { Reader } from '../readers.ts'
import type { EntityViews } from './entity-views.ts'
import type { Relation } from './relations-service.ts'

/** Relations of a bundle, the newest; as many as one page of them has at most. */
const MAX_RELATIONS = 1_000

/** A relation, and the types that it was stated with; none: it was stated without one. */
type Stated = Pick<Relation, 'entityID' | 'relatedEntityID' | 'direction' | 'visibleBy'> & {
  relationships?: readonly string[]
}

export type RelationsToSay = { newest(reader: Reader, id: string, limit: number): Promise<readonly Stated[]> }

/**
 * Entities as bundles of STIX 2.1 (decisions 15.3): what a reader sees of one, what it is related to, and the relations,
 * as far as the reader may know them. `caller` is a UUID of the user, null for nobody: ids of what is claimed follow from
 * it, as readers see different things. Null for an entity that the reader may not read.
 */
export function entityStix(history: Pick<History, 'query'>, entities: EntityViews, relations: RelationsToSay) {
  /** Records of the history of an entity that the reader may read. */
  async function reports(reader: Reader, { type, entityId }: EntityView): Promise<number> {
    const entity = { type, digest: entityId.slice(-64) }
    const days = await history.query<ActivityRow>(activityByDay(entity, reader.audiences, 0))
    return days.reduce((sum, { records }) => sum + Number(records), 0)
  }

  return async (reader: Reader, id: string, caller: string | null): Promise<string | null> => {
    const own = (await entities.states(reader, [id])).get(id)
    if (own === undefined) return null
    const stated = await relations.newest(reader, id, MAX_RELATIONS)
    const ends = [...new Set(stated.map((relation) => otherOf(id, relation)))]
    const others = await entities.states(reader, ends)
    const rules = await entities.scoring()
    const shown = (end: string): [string, EntityView][] => {
      const rows = others.get(end)
      return rows === undefined || isRetracted(rows) ? [] : [[end, fold(rows, rules)]]
    }
    // In the order of the relations, which is the same each time.
    const views = new Map(ends.flatMap(shown))
    const view = await entities.fold(own)
    const count = await reports(reader, view)
    const rows = [...own, ...[...others.values()].flat()]
    const facts = { id: namespaceOf(caller ?? PUBLIC), isPublic: isPublic(rows, stated) }
    const main = Object.assign(itemOf(view), {
      count,
      relations: stated.flatMap((one) => relationsOf(one, views.get(otherOf(id, one)))),
    })
    return written(facts, main, [...views.values()].map(itemOf), isRetracted(own))
  }
}

export type EntityStix = ReturnType<typeof entityStix>

const otherOf = (id: string, { entityID, relatedEntityID }: Stated): string =>
  entityID === id ? relatedEntityID : entityID

/**
 * Whether everybody sees the same: of the entities, and of how they are related. A relation that was stated to a group too
 * may have its type from there.
 */
const isPublic = (rows: readonly EntityState[], stated: readonly Stated[]): boolean =>
  rows.every(({ audience }) => audience === PUBLIC_AUDIENCE) &&
  stated.every(({ visibleBy }) => visibleBy.every((group) => group === PUBLIC))

function relationsOf(stated: Stated, other: EntityView | undefined): StixRelation[] {
  if (other === undefined) return []
  const { relationships = [], direction } = stated
  const isIncoming = direction === 'incoming'
  const types = relationships.length === 0 ? [null] : relationships
  return types.map((relationship) => ({ other, relationship, isIncoming }))
}

const itemOf = (view: EntityView): StixItem => ({
  entityId: view.entityId,
  type: view.type,
  value: view.value,
  attributes: view.attributes,
  reputation: view.reputation,
  accuracy: view.accuracy,
  tags: view.tags,
  firstSeen: view.firstSeen,
  lastSeen: view.lastSeen,
})

/** The entity first, then the ends of its relations; each object once, though two entities may share an observable. */
function written(facts: StixFacts, main: StixItem, others: readonly StixItem[], revoked: boolean): string {
  const { begin, add, end } = stixBundle(facts, `${facts.id} ${main.entityId}`)
  const known = idSet()
  const said = [main, ...others].map((item) => {
    const version = { modified: item.lastSeen, life: 0, validUntil: null, revoked: revoked && item === main }
    return add(objectsOf(facts, item, version).filter(({ id }) => known.add(id)))
  })
  return begin + said.join('') + end
}
