import type { History } from '../../../../connectors/history/port.ts'
import { type ActivityRow, activityByDay } from '../../../../connectors/history/sql/queries/activity.ts'
import { definitionOf } from '../../../../schemas/intelligence/entities/catalogue.ts'
import { accuracyLabel, reputationLabel } from '../../../../schemas/intelligence/entities/labels.ts'
import { dayOf } from '../../../../schemas/intelligence/state/counters.ts'
import type { EntityState } from '../../../../schemas/intelligence/state/entity-state.ts'
import { type EntityView, isRetracted } from '../../../../schemas/intelligence/state/entity-view.ts'
import type { Reader } from '../readers.ts'
import type { EntityViews } from './entity-views.ts'
import type { Relation, Relations } from './relations-service.ts'

const DAY_MS = 86_400_000
const ACTIVITY_DAYS = 30
const LATEST = 10

export type Details = ReturnType<typeof describeEntity> & {
  latest_associations: ReturnType<typeof describeRelation>[]
  /** History records by UTC day. */
  activity: { timestamp: string; count: number }[]
}

/** One page about an entity, from what a reader may read of it alone. */
export function entityDetails(history: Pick<History, 'query'>, entities: EntityViews, relations: Relations) {
  /** Points for each of the last 30 UTC days, the day of `now` (unix milliseconds) the last. */
  async function activity(reader: Reader, { type, entityId }: EntityView, now: number) {
    const days = Array.from({ length: ACTIVITY_DAYS }, (_, i) => dayOf(now - (ACTIVITY_DAYS - 1 - i) * DAY_MS))
    const entity = { type, digest: entityId.slice(-64) }
    const rows = await history.query<ActivityRow>(activityByDay(entity, reader.audiences, Date.parse(days[0]!)))
    const counts = new Map(rows.map(({ day, records }) => [day, Number(records)]))
    return days.map((day) => ({ timestamp: `${day}T00:00:00.000Z`, count: counts.get(day) ?? 0 }))
  }

  /** Null for an entity that the reader may not read. */
  return async (reader: Reader, id: string, now: number): Promise<Details | null> => {
    const states = (await entities.states(reader, [id])).get(id)
    if (states === undefined) return null
    const view = await entities.fold(states)
    const [newest, byDay] = await Promise.all([relations.newest(reader, id, LATEST), activity(reader, view, now)])
    return {
      ...describeEntity(view, states),
      latest_associations: newest.map((one) => describeRelation(id, one)),
      activity: byDay,
    }
  }
}

export type EntityDetails = ReturnType<typeof entityDetails>

function describeEntity(view: EntityView, states: readonly EntityState[]) {
  return {
    id: view.entityId,
    type: view.type,
    value: view.value,
    label: labelOf(view.type),
    attributes: summary(view),
    ...attributesOf(view, states),
    reputation: {
      current: view.reputation,
      best: view.best,
      worst: view.worst,
      label: reputationLabel(view.reputation),
    },
    accuracy: { value: view.accuracy, label: accuracyLabel(view.accuracy) },
    tags: [...view.tags],
    wellKnown: view.wellKnown,
    ...(isRetracted(states) && { retracted: true }),
    firstSeen: new Date(view.firstSeen).toISOString(),
    lastSeen: new Date(view.lastSeen).toISOString(),
    sources: new Set(states.flatMap((state) => state.claims.map((claim) => claim.source))).size,
    geolocations: whereabouts(view),
  }
}

const labelOf = (type: string): string => definitionOf(type)?.label ?? type

const summary = (view: EntityView) => ({
  id: view.entityId,
  type: view.type,
  value: view.value,
  description: definitionOf(view.type)?.description ?? '',
  reputation_score: view.reputation,
  reputation: reputationLabel(view.reputation),
  best_reputation_score: view.best,
  best_reputation: reputationLabel(view.best),
  worst_reputation_score: view.worst,
  worst_reputation: reputationLabel(view.worst),
  accuracy_score: view.accuracy,
  accuracy: accuracyLabel(view.accuracy),
})

/** By name. The value shown is the latest, so the latest time is its own. */
function attributesOf(view: EntityView, states: readonly EntityState[]) {
  const all = Object.entries(view.attributes).sort(([a], [b]) => (a < b ? -1 : 1))
  const about = all.map(([name, value]) => {
    const latest = Math.max(...states.map((state) => state.attributeTimes[name] ?? 0))
    return [name, { label: labelOf(name), value, last_seen: new Date(latest).toISOString() }] as const
  })
  return { metadata: Object.fromEntries(all), extended_metadata: Object.fromEntries(about) }
}

/** Where it is, as far as attributes or the address data say; a point needs both of its coordinates. */
function whereabouts({ value, country, asn, aso, attributes }: EntityView) {
  const coordinate = (name: string): number | null => (attributes[name] === undefined ? null : Number(attributes[name]))
  const [latitude, longitude] = [coordinate('latitude'), coordinate('longitude')]
  const point =
    latitude === null || longitude === null
      ? { latitude: null, longitude: null, accuracy_radius: null }
      : { latitude, longitude, accuracy_radius: coordinate('accuracy-radius') }
  if (country === '' && asn === 0 && aso === '' && point.latitude === null) return []
  return [{ object: value, country: country || null, asn: asn || null, aso: aso || null, ...point }]
}

/** A relation of an entity as what is at its other end. */
const describeRelation = (id: string, relation: Relation) => ({
  id: relation.entityID === id ? relation.relatedEntityID : relation.entityID,
  type: relation.type,
  value: relation.value,
  reputation: relation.reputation === null ? null : reputationLabel(relation.reputation),
  reputation_score: relation.reputation,
  accuracy_score: relation.accuracy,
  mode: relation.mode,
  relationships: relation.relationships,
  direction: relation.direction,
  last_seen: relation.lastSeen,
})
