import { leavingOf } from './leaving.ts'
import type { listMaker, MakingContext } from './making/list-maker.ts'
import { storeSteps } from './step-feeds.ts'

const EVERY_MS = 1_000
/** Looks between two looks at which tables are the live ones. */
const TABLES_EVERY = 3

/**
 * Looks at what no change tells: entities that leave lists by time alone, and whether the tables of the entities are
 * others, whose lists are made anew. Until the signal is aborted.
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

  async function look(round: number): Promise<void> {
    await load()
    if (feeds.size() === 0) return
    if (round % TABLES_EVERY === 0) await lookAtTables()
    await lookAtTimes()
  }

  for (let round = 0; !signal.aborted; round++) {
    await turns
      .take(() => look(round))
      .catch((error: unknown) => signal.aborted || options.onFailure('cannot look at the lists of feeds', error))
    await options.pause(EVERY_MS, signal)
  }
}
