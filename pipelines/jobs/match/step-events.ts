import { hash } from 'node:crypto'
import { isExpired } from '../../../schemas/match/event.ts'
import type { MatchedEntity } from '../../../schemas/match/match.ts'
import { type ArrivedEvent, arrived } from '../../processors/match/arrived.ts'
import { candidatesIn, candidatesOf, forwardMatches, type InIndex, meetings } from '../../processors/match/forward.ts'
import { ledgerRows } from '../../processors/match/ledger-rows.ts'
import type { PresentViews } from '../../processors/match/views.ts'
import { type MatchContext, matchedEntity, presentOf } from './context.ts'
import { loadIds } from './load.ts'
import type { PreparedBatch } from './prepare.ts'
import { sendSightings } from './sightings.ts'
import { tellMatches } from './tell.ts'
import { ownerOfEvent } from './whose.ts'

const DAY_MS = 86_400_000
/** Ids are known a little longer than what they bring is kept. */
const MARGIN_MS = DAY_MS
/**
 * Values of a part of a batch. Each may meet a network of every length, so this bounds what is decided at once; parts
 * follow from the records alone, and are cut the same way again.
 */
const VALUES_A_PART = 50_000

type Part = { events: readonly ArrivedEvent[]; mark: bigint }

export type EventsStep = { arrived: number; repeats: number; forward: number }

/**
 * Takes the events of a batch into the ledger, and tells which indicators they meet (decisions-2 14.3). The order of the
 * writes makes a batch that is handed out again tell the same (ADR 218): the ids of its events, what was decided, the
 * ledger, the matches, the log.
 * @param again the batch was begun before, by whomever
 */
export async function stepEvents(context: MatchContext, prepared: PreparedBatch, again: boolean): Promise<EventsStep> {
  const sum = { arrived: 0, repeats: 0, forward: 0 }
  await loadIds(context)
  for (const part of partsOf(prepared.batch, readableEvents(context, prepared))) {
    const fresh = await freshOf(context, part, again)
    sum.arrived += part.events.length
    sum.repeats += part.events.length - fresh.length
    sum.forward += await stepPart(context, { ...part, events: fresh }, again)
  }
  return sum
}

/** Events whose owner is known and keeps them; the others become dead letters, or are of nobody any more. */
function readableEvents(context: MatchContext, { batch, events, dead }: PreparedBatch): ArrivedEvent[] {
  const found: ArrivedEvent[] = []
  for (const { n, from, event, values, loggedAt } of events) {
    const whose = ownerOfEvent(batch.topic, from, context.ports.producers)
    const message = batch.messages[n]!
    if ('reason' in whose) {
      dead.push({ message, reason: whose.reason })
      continue
    }
    const known = context.owners.get(whose.owner)
    if (known === undefined) continue
    const { retentionDays } = known.settings
    if (isExpired(event, loggedAt, retentionDays)) {
      dead.push({ message, reason: `at must be within the last ${retentionDays} days` })
      continue
    }
    found.push(arrived(whose.owner, event, loggedAt, values))
  }
  return found
}

function* partsOf(
  { topic, partition, from, to }: PreparedBatch['batch'],
  events: readonly ArrivedEvent[],
): Generator<Part> {
  let begin = 0
  let values = 0
  for (const [n, event] of events.entries()) {
    values += event.values.length
    if (values < VALUES_A_PART && n < events.length - 1) continue
    const text = hash('sha256', `telemetry\n${topic}\n${partition}\n${from}\n${to}\n${begin}`, 'hex')
    yield { events: events.slice(begin, n + 1), mark: BigInt(`0x${text.slice(0, 16)}`) }
    begin = n + 1
    values = 0
  }
}

/** Events with an id that came for the first time (decisions-2 14.1). */
async function freshOf({ ids, ports }: MatchContext, { events, mark }: Part, again: boolean): Promise<ArrivedEvent[]> {
  const asked = again ? events : events.filter(({ digest }) => ids!.mayHave(digest))
  const known = asked.length === 0 ? new Map<string, bigint>() : await ports.store.idsOf(asked.map((one) => one.digest))
  const seen = new Set<string>()
  return events.filter(({ digest }) => {
    const by = known.get(digest)
    if (seen.has(digest) || (by !== undefined && !(again && by === mark))) return false
    seen.add(digest)
    return true
  })
}

async function stepPart(context: MatchContext, { events, mark }: Part, again: boolean): Promise<number> {
  if (events.length === 0) return 0
  const { ports, options, owners, index } = context
  const { store } = ports
  const now = options.now()
  const keptFor = (owner: string): number => (owners.get(owner)?.settings.retentionDays ?? 0) * DAY_MS
  const ids = events.map(({ owner, digest }) => ({ digest, expires: now + keptFor(owner) + MARGIN_MS }))
  await store.putIds(ids, mark)
  for (const { digest } of ids) context.ids!.add(digest)

  const candidates = candidatesIn(index.indicators)
  const found = candidatesOf(events, candidates)
  // Most events have nothing that could be met.
  const possible = events.filter(({ values }) => values.some(({ looked }) => candidates(looked).length > 0))
  const views = await presentOf(context, [...found.keys()])
  const inIndex = inIndexOf(context, views, now)
  const before = again ? await store.decision(mark) : null
  const decided = before ?? {
    at: now,
    tallies: meetings(possible, candidates, inIndex).map(({ hour, ...met }) => ({
      ...met,
      expires: hour + keptFor(met.owner) + MARGIN_MS,
    })),
  }
  if (before === null) await store.putDecision(decided, mark)
  await store.putLedger(
    ledgerRows(events, (owner, hour) => hour + keptFor(owner)),
    mark,
  )
  if (decided.tallies.length === 0) return 0
  const telling = { batch: mark, matchedAt: decided.at }
  const met = before === null ? inIndex : asDecided(context, views, decided.tallies)
  const told = forwardMatches(possible, candidates, met, telling)
  await sendSightings(context, told, views)
  await tellMatches(context, told, `match:${mark}`)
  return told.length
}

/** What the index of an owner has now, by the rows that are stored now. */
function inIndexOf({ owners }: MatchContext, views: PresentViews, now: number): InIndex {
  const known = new Map<string, MatchedEntity | null>()
  return (owner, { id }) => {
    const key = `${owner} ${id}`
    const remembered = known.get(key)
    if (remembered !== undefined) return remembered
    const by = owners.get(owner)!
    const view = views.viewOf(id, by.reader)
    const entity = view !== null && by.selector.holds(view, now) ? matchedEntity(id, view) : null
    known.set(key, entity)
    return entity
  }
}

/** What it had when it was decided, shown as it is now: one that has left since is withdrawn by what took it out. */
function asDecided(
  { owners }: MatchContext,
  views: PresentViews,
  tallies: readonly { owner: string; entityId: string }[],
): InIndex {
  const met = new Set(tallies.map(({ owner, entityId }) => `${owner} ${entityId}`))
  return (owner, { id, type, value }) => {
    if (!met.has(`${owner} ${id}`)) return null
    const view = views.viewOf(id, owners.get(owner)!.reader)
    return view === null ? { id, type, value, reputation: 0, accuracy: 0, tags: [] } : matchedEntity(id, view)
  }
}
