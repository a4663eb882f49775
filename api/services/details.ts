import type { History } from '../../connectors/history/port.ts'
import { type ActivityRow, activityByDay } from '../../connectors/history/queries/activity.ts'
import { dayOf } from '../../schemas/counters.ts'
import { definitionOf } from '../../schemas/entities/catalogue.ts'
import { accuracyLabel, reputationLabel } from '../../schemas/entities/labels.ts'
import type { EntityState } from '../../schemas/entity-state.ts'
import type { EntityView } from '../../schemas/entity-view.ts'
import type { EntityViews } from './entity-views.ts'
import type { Reader } from './readers.ts'
import type { Relation, Relations } from './relations.ts'

const DAY_MS = 86_400_000
const ACTIVITY_DAYS = 30
const LATEST = 10

export type Details = {
  id: string
  type: string
  value: string
  label: string
  attributes: { name: string; label: string; value: string; lastSeen: string }[]
  reputation: { current: number; best: number; worst: number; label: string }
  accuracy: { value: number; label: string }
  tags: string[]
  wellKnown: boolean
  firstSeen: string
  lastSeen: string
  /** Distinct sources that have spoken of it, those of sightings too. */
  sources: number
  geolocations: { country: string | null; asn: number | null; aso: string | null }[]
  latestAssociations: Relation[]
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
    const [latestAssociations, byDay] = await Promise.all([
      relations.newest(reader, id, LATEST),
      activity(reader, view, now),
    ])
    return { ...described(view, states), latestAssociations, activity: byDay }
  }
}

export type EntityDetails = ReturnType<typeof entityDetails>

function described(view: EntityView, states: readonly EntityState[]) {
  return {
    id: view.entityId,
    type: view.type,
    value: view.value,
    label: labelOf(view.type),
    attributes: attributesOf(view, states),
    reputation: {
      current: view.reputation,
      best: view.best,
      worst: view.worst,
      label: reputationLabel(view.reputation),
    },
    accuracy: { value: view.accuracy, label: accuracyLabel(view.accuracy) },
    tags: [...view.tags],
    wellKnown: view.wellKnown,
    firstSeen: new Date(view.firstSeen).toISOString(),
    lastSeen: new Date(view.lastSeen).toISOString(),
    sources: new Set(states.flatMap((state) => state.claims.map((claim) => claim.source))).size,
    geolocations: whereabouts(view),
  }
}

const labelOf = (type: string): string => definitionOf(type)?.label ?? type

/** By name. The value shown is the latest, so the latest time is its own. */
const attributesOf = (view: EntityView, states: readonly EntityState[]) =>
  Object.entries(view.attributes)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => ({
      name,
      label: labelOf(name),
      value,
      lastSeen: new Date(Math.max(...states.map((state) => state.attributeTimes[name] ?? 0))).toISOString(),
    }))

const whereabouts = ({ country, asn, aso }: EntityView) =>
  country === '' && asn === 0 && aso === '' ? [] : [{ country: country || null, asn: asn || null, aso: aso || null }]
