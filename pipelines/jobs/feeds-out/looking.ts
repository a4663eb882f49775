import { untilNext } from '../../../platform/pause.ts'
import type { KnownFeed } from './known-feeds.ts'
import { leavingOf } from './leaving.ts'
import type { listMaker, MakingContext } from './making/list-maker.ts'
import { isRenewalDue, renewList } from './making/renew-list.ts'
import { storeSteps } from './step-feeds.ts'

const EVERY_MS = 1_000
/** Looks between two looks at which tables are the live ones. */
const TABLES_EVERY = 3
/** A list that could not be renewed is left alone so long. */
const RENEWED_AGAIN_MS = 60_000

/**
 * Looks at what no change tells: entities that leave lists by time alone, whether the tables of the entities are others,
 * whose lists are made anew, and lists with many rows of what is gone. Until the signal is aborted.
 */
export async function watchLists(
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
    for (const known of feeds.all()) {
      const { head, selector } = known
      if (head.epoch === 0 || selector.selector.seenWithin === undefined || (looks.get(known) ?? 0) > now) continue
      const { steps, next } = await leavingOf(known, ports, await ports.live(), now)
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
