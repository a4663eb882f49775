import type { EntityInCollection, PlacedObject } from '../../../schemas/feeds-out/collections/object.ts'
import { nextLook } from '../../../schemas/feeds-out/collections/validity.ts'
import type { CollectionRow } from '../../../schemas/feeds-out/collections/write.ts'
import type { FeedItem } from '../../../schemas/feeds-out/formats/format.ts'
import { hasVersions, revoked, shownDigest, textDigest, versionOf } from './written.ts'

type Facts = { id: string; isPublic: boolean }
type Version = { modified: number; life: number; validUntil: number | null; revoked: boolean }

/** An object of STIX as it was written. */
export type WrittenObject = { id: string; type: string; json: string }

/** Says an item as objects of STIX, what others refer to before them. */
export type WriteObjects = (facts: Facts, item: FeedItem, version: Version) => readonly WrittenObject[]

export type StepsOptions = {
  facts: Facts
  write: WriteObjects
  /** Date added of the last row, unix microseconds. */
  last: number
  /** Unix milliseconds. */
  now: number
  /** What is known of every entity that is spoken of; moved on. */
  entities: Map<string, EntityInCollection>
  /** The last versions of objects without versions; moved on. */
  plain: Map<string, Pick<PlacedObject, 'added' | 'digest'>>
  /** Texts of claims that may be taken back, by id; moved on. */
  texts: Map<string, string>
}

const MICROS_A_MS = 1_000

/**
 * What steps of a list add to its collection (decisions 15.2): each object a row with a moment of its own. Pure: ids and
 * texts follow from what is known, moments from the last one and `now`.
 */
export function collectionSteps({ facts, write, last, now, entities, plain, texts }: StepsOptions) {
  const rows: CollectionRow[] = []
  let added = last

  const nextMoment = (): number => {
    added = Math.max(added + 1, now * MICROS_A_MS)
    return added
  }

  function push(
    object: WrittenObject,
    inForce: boolean,
    before: number,
    entity: CollectionRow['entity'],
  ): PlacedObject {
    const { id, type, json: text } = object
    const at = nextMoment()
    const digest = textDigest(text)
    const version = versionOf(text, at)
    rows.push({
      added: at,
      object: { id, type, version, isFirst: before === 0, inForce, text, digest },
      supersedes: before,
      entity,
    })
    return { id, type, added: at, inForce, digest }
  }

  /** One whose text is there already is not said again, whoever said it. Returns null then. */
  function pushPlain(object: WrittenObject, entity: CollectionRow['entity']): PlacedObject | null {
    const known = plain.get(object.id)
    if (known?.digest === textDigest(object.json)) return null
    const placed = push(object, false, known?.added ?? 0, entity)
    plain.set(object.id, placed)
    return placed
  }

  /** Stores what is known of an entity, with its objects; a row of its own where no object says it. */
  function settle(entity: Omit<EntityInCollection, 'objects'>, from: number, objects: readonly PlacedObject[]): void {
    if (rows.length === from) rows.push({ added: nextMoment(), object: null, supersedes: 0, entity })
    entities.set(entity.entityId, { ...entity, objects })
  }

  /** Takes back the claims of an entity but these, as versions of this moment. */
  function revoke(
    objects: Map<string, PlacedObject>,
    but: ReadonlySet<string>,
    entity: Omit<EntityInCollection, 'objects'>,
  ): void {
    for (const { id, type, inForce, added: before } of objects.values()) {
      if (!inForce || but.has(id)) continue
      const text = texts.get(id)
      if (text === undefined) throw new Error(`the text of ${id} is not known`)
      objects.set(id, push({ id, type, json: revoked(text, entity.modified) }, false, before, entity))
    }
  }

  const byId = (known: EntityInCollection | undefined): Map<string, PlacedObject> =>
    new Map((known?.objects ?? []).map((one) => [one.id, one]))

  return {
    /**
     * The list has the item. Nothing where the collection says the same already, unless its claim is renewed.
     * @param validUntil when its claim ends; 0: never
     */
    put(item: FeedItem, validUntil: number, renews = false): void {
      const known = entities.get(item.entityId)
      const shown = shownDigest(item)
      const stays = known?.live === true
      if (stays && known.shown === shown && !renews) return
      const modified = Math.max(now, (known?.modified ?? 0) + 1)
      const entity = {
        entityId: item.entityId,
        life: known === undefined ? 0 : stays ? known.life : known.life + 1,
        live: true,
        shown,
        // When an object was created never changes, and neither does what follows from it.
        firstSeen: stays ? known.firstSeen : item.firstSeen,
        modified,
        validUntil,
        lookAt: nextLook(modified, validUntil, now),
      }
      const { life, firstSeen } = entity
      const version = { modified, life, validUntil: validUntil === 0 ? null : validUntil, revoked: false }
      // Objects of an earlier life were all taken back, and no later one follows them.
      const objects = byId(stays ? known : undefined)
      const from = rows.length
      const said = new Set<string>()
      for (const object of write(facts, { ...item, firstSeen }, version)) {
        said.add(object.id)
        const isClaim = hasVersions(object.json)
        const placed = isClaim
          ? push(object, true, objects.get(object.id)?.added ?? 0, entity)
          : pushPlain(object, entity)
        if (isClaim) texts.set(object.id, object.json)
        if (placed !== null) objects.set(object.id, placed)
      }
      revoke(objects, said, entity)
      settle(entity, from, [...objects.values()])
    },

    /** The list has it no more: its claims are taken back, and what comes back later is a new life. */
    remove(entityId: string): void {
      const known = entities.get(entityId)
      if (known === undefined || !known.live) return
      const { objects: _, ...rest } = known
      const entity = { ...rest, live: false, modified: Math.max(now, known.modified + 1), validUntil: 0, lookAt: 0 }
      const objects = byId(known)
      const from = rows.length
      revoke(objects, new Set(), entity)
      settle(entity, from, [...objects.values()])
    },

    /** Nobody spoke of it again: its claim stands as it is, and is looked at later. */
    postpone(entityId: string): void {
      const known = entities.get(entityId)
      if (known === undefined || !known.live) return
      const { objects, ...rest } = known
      settle({ ...rest, lookAt: nextLook(known.modified, known.validUntil, now) }, rows.length, objects)
    },

    /** Definitions that every object refers to. */
    define(objects: readonly WrittenObject[]): void {
      for (const object of objects) pushPlain(object, null)
    },

    /** Says how far the collection is where nothing else does. */
    note(): void {
      if (rows.length === 0) rows.push({ added: nextMoment(), object: null, supersedes: 0, entity: null })
    },

    known: (entityId: string): EntityInCollection | undefined => entities.get(entityId),
    rows: (): readonly CollectionRow[] => rows,
    last: (): number => added,
  }
}

export type CollectionSteps = ReturnType<typeof collectionSteps>
