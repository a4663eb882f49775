import { hash } from 'node:crypto'
import { setImmediate as letOthers } from 'node:timers/promises'
import type { Decision } from '../../../../connectors/history/match/port.ts'
import { HOUR_MS } from '../../../../schemas/match/ledger.ts'
import { DIGEST_BYTES, digestsOf, firstOnes } from '../../../processors/match/columns/digests.ts'
import { type EventPart, eventsWhere } from '../../../processors/match/columns/event-part.ts'
import { ledgerColumns } from '../../../processors/match/columns/ledger-columns.ts'
import { forwardMatches, meetings, possibleIn } from '../../../processors/match/forward.ts'
import { loadIds } from '../load.ts'
import { type MatchContext, presentOf } from '../match-context.ts'
import { type OwnedMatch, publishMatches, publishNews } from '../publish-matches.ts'
import { tellRetro } from '../retro-matches.ts'
import { sendSightings } from '../sightings.ts'
import { restoreMatches } from '../withdraw.ts'
import { ownerOfEvent } from './event-owner.ts'
import { asDecided, decidedIn, type FoundIndicators, findIndicators } from './find-indicators.ts'
import type { PreparedBatch } from './prepare.ts'

/**
 * Tells what was decided of events of a range that was begun before, by whomever. Changes may have been looked at between
 * the decision and now: what came into an index has not met these events in the ledger, and meets it now; what left has
 * withdrawn what is only told now.
 * @returns how many forward matches there are
 */
async function tellAgain(context: MatchContext, part: EventPart, mark: bigint, decided: Decision): Promise<number> {
  await addDecided(context, decided)
  const meeting = await findIndicators(context, part, context.options.now())
  const { events } = meeting.possible
  const telling = { batch: mark, matchedAt: decided.at }
  const met = asDecided(context, meeting.views, decidedIn(decided))
  const told = forwardMatches(events, meeting.candidates, met, telling)
  await sendSightings(context, told, meeting.views)
  await publishMatches(context, told, `match:${mark}`)
  await tellWithdrawn(context, told)
  await tellMissed(context, meeting)
  return told.length
}

/** What has left the index may not have been among what was read since. */
async function addDecided(context: MatchContext, { tallies }: Decision): Promise<void> {
  const ids = [...new Set(tallies.map(({ entityId }) => entityId))]
  const views = await presentOf(context, ids)
  for (const id of ids) {
    const named = views.named(id)
    if (named !== null) context.index.indicators.add(named.type, named.value)
  }
}

/** The state of their entities is there already; the log has not said it of these. */
async function tellWithdrawn(context: MatchContext, told: readonly OwnedMatch[]): Promise<void> {
  for (const [owner, those] of Map.groupBy(told, (one) => one.owner)) {
    const ids = [...new Set(those.map(({ match }) => match.entity.id))]
    const states = new Map((await context.ports.store.states(owner, ids)).map((state) => [state.entityId, state]))
    const { groups } = context.owners.get(owner)!.settings
    const news = those.flatMap(({ match }) => {
      const { withdrawnAt: at = null, reason = '' } = states.get(match.entity.id) ?? {}
      return at === null ? [] : [{ owner, groups, match, step: 'withdrawn' as const, at, reason }]
    })
    await publishNews(context, news)
  }
}

/**
 * What came into an index met a ledger without these events, but with what was decided of them: too few of its rows, or too
 * few events of one.
 */
async function tellMissed(context: MatchContext, { possible, candidates, inIndex }: FoundIndicators): Promise<void> {
  for (const [owner, those] of Map.groupBy(possible.events, (one) => one.owner)) {
    const present = [...possibleIn(those, candidates).found.values()].flatMap((one) => inIndex(owner, one) ?? [])
    await tellRetro(context, [context.owners.get(owner)!], present)
  }
}

const DAY_MS = 86_400_000
/** Ids are known a little longer than what they bring is kept. */
const MARGIN_MS = DAY_MS
/**
 * Values of a part of a batch. Each may meet a network of every length, so this bounds what is decided at once; parts
 * follow from the records alone, and are cut the same way again.
 */
const VALUES_A_PART = 150_000

export type EventsStep = { arrived: number; repeats: number; forward: number }

/** Does what is read, and then what is written, each in its order among others. */
type InOrder = (read: () => Promise<() => Promise<number>>) => Promise<number>

/**
 * Takes the events of a batch into the ledger, and tells which indicators they meet (decisions 14.3). The order of the
 * writes makes a batch that is handed out again tell the same (ADR 219): the ids of its events, what was decided, the
 * ledger, the matches, the log.
 * @param again the batch was begun before, by whomever
 */
export async function stepEvents(
  context: MatchContext,
  prepared: PreparedBatch,
  again: boolean,
  inOrder: InOrder,
): Promise<EventsStep> {
  const sum = { arrived: 0, repeats: 0, forward: 0 }
  for (const { begin, end, mark } of partsOf(prepared))
    sum.forward += await inOrder(async () => {
      await loadIds(context)
      const part = readableEvents(context, prepared, begin, end)
      const fresh = await freshOf(context, part, mark, again)
      sum.arrived += part.events.length
      sum.repeats += part.events.length - fresh.events.length
      return readPart(context, fresh, mark, again)
    })
  return sum
}

/** Events whose owner is known and keeps them; the others become dead letters, or are of nobody any more. */
function readableEvents(
  { owners: known, ports }: MatchContext,
  { batch, columns, dead, sources }: PreparedBatch,
  begin: number,
  end: number,
): EventPart {
  const whose = sources.map((one) => ownerOfEvent(batch.topic, one, ports.producers))
  const owners = whose.map((one) => ('reason' in one ? '' : one.owner))
  const days = owners.map((owner) => known.get(owner)?.settings.retentionDays ?? -1)
  const events = new Uint32Array(end - begin)
  let size = 0
  for (let event = begin; event < end; event++) {
    const source = columns.source[event]!
    const from = whose[source]!
    const retentionDays = days[source]!
    const isOld = columns.at[event]! < columns.loggedAt[event]! - retentionDays * DAY_MS
    const message = batch.messages[columns.message[event]!]!
    if ('reason' in from) dead.push({ message, reason: from.reason })
    else if (retentionDays < 0) continue
    else if (isOld) dead.push({ message, reason: `at must be within the last ${retentionDays} days` })
    else events[size++] = event
  }
  const readable = events.subarray(0, size)
  return { columns, events: readable, owners, digests: digestsOf(columns, readable, owners) }
}

function* partsOf({ batch, columns }: PreparedBatch): Generator<{ begin: number; end: number; mark: bigint }> {
  const { topic, partition, from, to } = batch
  const { size, valueEnds } = columns
  let begin = 0
  let before = 0
  for (let n = 0; n < size; n++) {
    if (valueEnds[n]! - before < VALUES_A_PART && n < size - 1) continue
    const text = hash('sha256', `telemetry\n${topic}\n${partition}\n${from}\n${to}\n${begin}`, 'hex')
    yield { begin, end: n + 1, mark: BigInt(`0x${text.slice(0, 16)}`) }
    begin = n + 1
    before = valueEnds[n]!
  }
}

/** Events with an id that came for the first time (decisions 14.1). */
async function freshOf(
  { ids, ports }: MatchContext,
  part: EventPart,
  mark: bigint,
  again: boolean,
): Promise<EventPart> {
  const { digests } = part
  const hexOf = (n: number): string => digests.toString('hex', n * DIGEST_BYTES, (n + 1) * DIGEST_BYTES)
  const asked: string[] = []
  for (let n = 0; n < part.events.length; n++)
    if (again || ids!.mayHave(digests, n * DIGEST_BYTES)) asked.push(hexOf(n))
  const known = asked.length === 0 ? new Map<string, bigint>() : await ports.store.idsOf(asked)
  const first = firstOnes(digests)
  return eventsWhere(part, (n) => {
    if (first[n] === 0) return false
    const by = known.size === 0 ? undefined : known.get(hexOf(n))
    return by === undefined || (again && by === mark)
  })
}

/** @returns what writes what the events meet; resolves to how many matches that is */
async function readPart(
  context: MatchContext,
  part: EventPart,
  mark: bigint,
  again: boolean,
): Promise<() => Promise<number>> {
  if (part.events.length === 0) return async () => 0
  const { ports, options, owners } = context
  const { store } = ports
  const now = options.now()
  const keptFor = (owner: string): number => (owners.get(owner)?.settings.retentionDays ?? 0) * DAY_MS
  // Before they are stored: what failed may be stored all the same.
  context.ids!.addAll(part.digests)
  const untilBySource = part.owners.map((owner) => now + keptFor(owner) + MARGIN_MS)
  const expires = Float64Array.from(part.events, (event) => untilBySource[part.columns.source[event]!]!)
  const ids = { digests: part.digests, expires }
  const [meeting] = await Promise.all([meanwhile(() => findIndicators(context, part, now)), store.putIds(ids, mark)])
  const { possible, candidates, inIndex, views } = meeting
  const tallies = meetings(possible.events, candidates, inIndex).map(({ hour, ...met }) => ({
    ...met,
    expires: hour + keptFor(met.owner) + MARGIN_MS,
  }))

  return async () => {
    const [decided, rows] = await Promise.all([
      decidedOf(context, mark, { at: now, tallies }, again),
      meanwhile(() => ledgerColumns(part, (owner, hour) => hour + HOUR_MS + keptFor(owner))),
    ])
    await store.putLedger(rows, mark)
    if (again) return tellAgain(context, part, mark, decided)
    const told = forwardMatches(possible.events, candidates, inIndex, { batch: mark, matchedAt: now })
    await restoreMet(context, told)
    await sendSightings(context, told, views)
    await publishMatches(context, told, `match:${mark}`)
    return told.length
  }
}

/** Work that changes nothing, done while a write is under way: what is to be sent leaves first. */
async function meanwhile<T>(work: () => T | Promise<T>): Promise<T> {
  await letOthers()
  return work()
}

/** What is met is in the index, also where the change or the settings that brought it back are still to be looked at. */
async function restoreMet(context: MatchContext, told: readonly OwnedMatch[]): Promise<void> {
  for (const [owner, those] of Map.groupBy(told, (one) => one.owner))
    await restoreMatches(context, [context.owners.get(owner)!], [...new Set(those.map(({ match }) => match.entity.id))])
}

/** What was decided of a part. What another process that ended had on its way may be stored first, and holds then. */
async function decidedOf(
  { ports: { store } }: MatchContext,
  mark: bigint,
  made: Decision,
  again: boolean,
): Promise<Decision> {
  const before = again ? await store.decision(mark) : null
  if (before !== null) return before
  await store.putDecision(made, mark)
  return again ? ((await store.decision(mark)) ?? made) : made
}
