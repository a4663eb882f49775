import { untilNext } from '../../../platform/pause.ts'
import { readerOf } from '../../../schemas/feeds-out/feed.ts'
import type { FeedHead } from '../../../schemas/feeds-out/head.ts'
import { type FeedStep, itemOf } from '../../processors/feeds-out/step.ts'
import { type LiveEntities, viewsNow } from '../../runtime/live-entities.ts'
import { forgetOld } from './forget-left-overs.ts'
import type { KnownFeed } from './known-feeds.ts'
import type { listMaker, MakingContext } from './list-maker.ts'
import type { KeptPorts } from './ports.ts'
import { storeSteps } from './step-feeds.ts'

/** Members of one look. */
const AT_ONCE = 5_000
/** A longer list is looked at less often: each look reads a column of it (decisions 11.3). */
const LONG = 100_000
const CHECKED_EVERY_MS = { short: 1_000, long: 5_000 }

/** Steps of what leaves by time alone, and when to look again (unix milliseconds). */
type Leaving = { steps: FeedStep[]; next: number }

/**
 * What of a list has left by time alone until now. The times of members may be of before a sighting that changed nothing
 * else (ADR 271), so the present views decide: what was seen since then stays, with its later time.
 */
export async function expiredOf(
  { head, selector }: KnownFeed,
  { store }: Pick<KeptPorts, 'store'>,
  { rows, rules }: LiveEntities,
  now: number,
): Promise<Leaving> {
  const of = { epoch: head.epoch, waiting: head.held?.epoch ?? null }
  const due = await store.leaving(head.feed.id, of, now, AT_ONCE)
  const next = due.length === AT_ONCE ? now : now + (head.items > LONG ? CHECKED_EVERY_MS.long : CHECKED_EVERY_MS.short)
  if (due.length === 0) return { steps: [], next }
  const ids = due.map(({ item }) => item.entityId)
  const views = await viewsNow(rows, ids, readerOf(head.feed.groups), rules)
  const steps = due.map(({ item, leavesAt }): FeedStep => {
    const view = views.get(item.entityId)
    const seen = view !== undefined && selector.holds(view, now) ? view : null
    return {
      entityId: item.entityId,
      before: item,
      after: seen === null ? null : itemOf(seen),
      reason: 'aged',
      at: leavesAt!,
      leavesAt: seen === null ? null : selector.leavesAt(seen),
      leftAt: null,
    }
  })
  return { steps, next }
}

/** Fewer rows of members that are gone cost a reader less than a copy costs the store. */
const FEW = 10_000

/** Whether a list has more rows of members that are gone than others: a copy of the others costs less than was stored. */
export const isRenewalDue = ({ epoch, gone = 0, items, inside }: FeedHead): boolean =>
  epoch !== 0 && gone > Math.max(FEW, items, inside)

/**
 * Copies what is inside of a list, or what waits while it is held, to another epoch, without what went (ADR 274). Nothing
 * that is shown changes, so there is no delta. To be asked in a turn of its own: no step moves the list meanwhile. Until
 * the head is stored, the list is where it was.
 */
export async function renewList(
  context: Pick<MakingContext, 'ports' | 'options' | 'newEpoch' | 'newVersion'>,
  known: KnownFeed,
): Promise<void> {
  const { store } = context.ports
  const { feed, held, epoch: list } = known.head
  const epoch = context.newEpoch()
  const version = context.newVersion()
  const from = held === null ? { epoch: list, beside: null } : { epoch: held.epoch, beside: list }
  await store.copy(feed.id, epoch, from, BigInt(version))
  const moved = held === null ? { epoch } : { held: { ...held, epoch } }
  const head: FeedHead = { ...known.head, ...moved, gone: 0, version }
  await store.write([{ head, members: [], deltas: [] }], BigInt(version))
  known.head = head
  await forgetOld(context, known)
}

const EVERY_MS = 1_000
/** Looks between two looks at which tables are the live ones. */
const TABLES_EVERY = 3
/** A list that could not be renewed is left alone so long. */
const RENEWED_AGAIN_MS = 60_000

/**
 * Looks at what no change tells: entities that leave lists by time alone, whether the tables of the entities are others,
 * whose lists are made anew, and lists with many rows of what is gone. Until the signal is aborted.
 */
export async function sweepLists(
  context: MakingContext,
  maker: ReturnType<typeof listMaker>,
  load: () => Promise<void>,
): Promise<void> {
  const { ports, options, feeds, turns } = context
  const { signal } = options
  /** When each feed is looked at again. */
  const looks = new WeakMap<object, number>()
  /** Of which generation each list is being made. */
  const remade = new WeakMap<object, string>()
  /** When each list may be renewed again. */
  const renewals = new WeakMap<object, number>()

  async function lookAtTables(): Promise<void> {
    const { generation } = await ports.live()
    for (const known of feeds.all()) {
      const { head } = known
      if (head.epoch === 0 || head.generation === generation || remade.get(known) === generation) continue
      remade.set(known, generation)
      maker.make(known, 'rescored')
    }
  }

  async function lookAtTimes(): Promise<void> {
    const now = options.now()
    const isDue = (known: KnownFeed): boolean =>
      known.head.epoch !== 0 && known.selector.selector.seenWithin !== undefined && (looks.get(known) ?? 0) <= now
    const due = [...feeds.all()].filter(isDue)
    if (due.length === 0) return
    const live = await ports.live()
    for (const known of due) {
      const { steps, next } = await expiredOf(known, ports, live, now)
      looks.set(known, next)
      if (steps.length > 0) await storeSteps(context, new Map([[known, steps]]))
    }
  }

  /** A list that is made anew is renewed by that. */
  const isDue = (known: KnownFeed): boolean =>
    known.filling === null && isRenewalDue(known.head) && (renewals.get(known) ?? 0) <= options.now()

  async function renewOne(known: KnownFeed): Promise<void> {
    if (feeds.get(known.head.feed.id) !== known || !isDue(known)) return
    renewals.set(known, options.now() + RENEWED_AGAIN_MS)
    await renewList(context, known)
  }

  /** Each in a turn of its own, so that steps go on in between. */
  async function renewLists(): Promise<void> {
    for (const known of [...feeds.all()].filter(isDue)) {
      if (signal.aborted) return
      await turns.take(() => renewOne(known))
    }
  }

  async function look(round: number): Promise<void> {
    await load()
    if (feeds.size() === 0) return
    if (round % TABLES_EVERY === 0) await lookAtTables()
    await lookAtTimes()
  }

  for (let round = 0; !signal.aborted; round++) {
    await turns
      .take(() => look(round))
      .then(renewLists)
      .catch((error: unknown) => signal.aborted || options.onFailure('cannot check the lists of feeds', error))
    await options.pause(untilNext(EVERY_MS), signal)
  }
}
