import { hourOf, rowMark } from '../../../schemas/match/ledger.ts'
import type { Match, MatchedEntity } from '../../../schemas/match/match.ts'
import { forwardId, summaryId } from '../../../schemas/match/match-id.ts'
import type { ArrivedEvent, ArrivedValue } from './arrived.ts'
import type { Candidate, Indicators, LookedUp } from './indicators.ts'

/** So many matches of one owner are told one by one in a second (decisions 14.6). */
export const MATCHES_A_SECOND = 10_000

/** What the index of an owner has under a candidate now; null: nothing. */
export type InIndex = (owner: string, candidate: Candidate) => MatchedEntity | null

/** How many events of a row of the ledger, as `rowMark` names it, meet an entity. */
export type Met = { owner: string; entityId: string; row: bigint; n: number; hour: number }

export type ForwardMatch = { owner: string; match: Match }

/** Candidates of values, in an order that follows from nothing else; of those that have any, looked up once for all events. */
export function candidatesIn(indicators: Pick<Indicators, 'candidates'>): (of: LookedUp) => readonly Candidate[] {
  const known = new Map<LookedUp, readonly Candidate[]>()
  return (looked) => {
    const some = known.get(looked) ?? indicators.candidates(looked)
    if (some.length === 0 || known.has(looked)) return some
    const found = some.length === 1 ? some : some.toSorted((a, b) => (a.id < b.id ? -1 : 1))
    known.set(looked, found)
    return found
  }
}

export type Candidates = ReturnType<typeof candidatesIn>

/** What events may meet: their candidates by id, and the events that have any, which most have not. */
export type Possible = { found: ReadonlyMap<string, Candidate>; events: readonly ArrivedEvent[] }

export function possibleIn(events: readonly ArrivedEvent[], candidates: Candidates): Possible {
  const found = new Map<string, Candidate>()
  const possible = events.filter(({ values }) => {
    let any = false
    for (const value of values)
      for (const one of candidates(value)) {
        found.set(one.id, one)
        any = true
      }
    return any
  })
  return { found, events: possible }
}

/** Calls back for each value of an event that meets an indicator. */
function eachMeeting(
  event: ArrivedEvent,
  candidates: Candidates,
  inIndex: InIndex,
  meet: (value: ArrivedValue, entity: MatchedEntity) => void,
): void {
  for (const value of event.values)
    for (const candidate of candidates(value)) {
      const entity = inIndex(event.owner, candidate)
      if (entity !== null) meet(value, entity)
    }
}

/**
 * Which indicators the events meet (decisions 14.3), counted by the rows of the ledger that they become part of. It is
 * decided once: what is told follows from it, whatever the index has later.
 */
export function meetings(events: readonly ArrivedEvent[], candidates: Candidates, inIndex: InIndex): Met[] {
  const met = new Map<string, Met>()
  for (const event of events) {
    const hour = hourOf(event.event.at)
    eachMeeting(event, candidates, inIndex, ({ field, value }, { id: entityId }) => {
      const key = `${event.owner} ${entityId} ${field} ${hour} ${value}`
      const known = met.get(key)
      if (known === undefined)
        met.set(key, { owner: event.owner, entityId, row: rowMark(value, field, hour), n: 1, hour })
      else known.n++
    })
  }
  return [...met.values()]
}

export type ForwardTelling = {
  /** Of the batch; ids of summaries follow from it. */
  batch: bigint
  /** When it was decided, unix milliseconds. */
  matchedAt: number
}

/**
 * The forward matches of events: one for each event, field and entity. Beyond so many of one owner in a second of the log
 * those of an entity and a field become one summary.
 */
export function forwardMatches(
  events: readonly ArrivedEvent[],
  candidates: Candidates,
  inIndex: InIndex,
  telling: ForwardTelling,
): ForwardMatch[] {
  const told: ForwardMatch[] = []
  const summaries = new Map<string, ForwardMatch>()
  const counts = new Map<string, number>()
  for (const event of events) {
    const { owner, second } = event
    const once = new Set<string>()
    eachMeeting(event, candidates, inIndex, (value, entity) => {
      const named = `${value.field} ${entity.id}`
      if (once.has(named)) return
      once.add(named)
      const counted = `${owner} ${second}`
      const count = (counts.get(counted) ?? 0) + 1
      counts.set(counted, count)
      if (count <= MATCHES_A_SECOND) told.push({ owner, match: matchOf(event, value, entity, telling) })
      else addToSummary(summaries, event, value, entity, telling)
    })
  }
  return [...told, ...summaries.values()]
}

function matchOf(
  { owner, event }: ArrivedEvent,
  { field, value }: ArrivedValue,
  entity: MatchedEntity,
  { matchedAt }: ForwardTelling,
): Match {
  const { id, at, kind, host, user, ref } = event
  const refs = ref === null ? [] : [ref]
  return {
    id: forwardId(owner, id, field, entity.id),
    direction: 'forward',
    summary: false,
    at,
    matchedAt,
    event: { id, at, lastAt: null, count: 1, kind, host, user, field, value, refs },
    entity,
  }
}

function addToSummary(
  summaries: Map<string, ForwardMatch>,
  { owner, second, event: { at } }: ArrivedEvent,
  { field }: ArrivedValue,
  entity: MatchedEntity,
  { batch, matchedAt }: ForwardTelling,
): void {
  const key = `${owner} ${second} ${field} ${entity.id}`
  const known = summaries.get(key)
  if (known !== undefined) {
    const { event } = known.match
    event.count++
    event.at = Math.min(event.at, at)
    event.lastAt = Math.max(event.lastAt ?? at, at)
    known.match.at = event.lastAt
    return
  }
  const of = { kind: null, host: null, user: null, field, value: '', refs: [] }
  const match: Match = {
    id: summaryId(owner, `${batch} ${second}`, field, entity.id),
    direction: 'forward',
    summary: true,
    at,
    matchedAt,
    event: { id: null, at, lastAt: at, count: 1, ...of },
    entity,
  }
  summaries.set(key, { owner, match })
}
