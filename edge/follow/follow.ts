import type { EdgeList, EdgeLists, ListState, NewList } from '../../connectors/edge-list/port.ts'
import { Away, type FeedClient, Refused } from '../../connectors/feed-client/port.ts'

/** Longest time for which the platform waits for a change, in seconds. */
const LONGEST_WAIT = 30
/** Pauses after an answer that did not come, in milliseconds: doubled each time. */
const FIRST_PAUSE_MS = 250
const LONGEST_PAUSE_MS = 15_000

export type FollowPorts = {
  feed: FeedClient
  lists: EdgeLists
  pause: (ms: number, signal: AbortSignal) => Promise<void>
  /** Each answer of the platform. */
  answered: () => void
  /** The list is another one, or changed; the one before is not asked any more. */
  changed: (list: EdgeList) => void
  report: (what: 'read' | 'refused' | 'away' | 'gap' | 'failed', message: string) => void
}

export type FollowOptions = { feed: string; maxAgeSeconds: number; signal: AbortSignal }

class Gap extends Error {}

/**
 * Keeps the list of one feed until the signal aborts: read whole, then change by change from its cursor on (decisions 19.1,
 * 19.4). When a change is missing, or the cursor is too old, it is read whole again, and the old one answers meanwhile.
 * @param list the one on the disk; null: there is none
 * @throws Refused at the first answer, where there is no list
 */
export async function followFeed(ports: FollowPorts, list: EdgeList | null, options: FollowOptions): Promise<void> {
  const { feed, pause, answered, changed, report } = ports
  const { signal } = options
  const wait = Math.max(0, Math.min(LONGEST_WAIT, Math.floor(options.maxAgeSeconds / 3)))
  let current = list
  let anew = list === null
  let again = FIRST_PAUSE_MS
  /** A whole list came in vain: what came of it is no answer, or an old list would stay young for ever. */
  let vain = false
  /** A gap right behind a whole list: the next one is not asked for at once. */
  let gaps = 0
  /** After a start, and once the platform is back, it is asked how things are before it is asked to wait. */
  let waits = false

  async function readWhole(): Promise<EdgeList> {
    const whole = await feed.whole(signal)
    const came = (): void => {
      if (!vain) answered()
    }
    came()
    let made: NewList | null = null
    try {
      made = ports.lists.begin(options.feed)
      const at = { feed: options.feed, cursor: whole.cursor, sequence: whole.sequence }
      let count = 0
      for await (const portion of whole.portions) {
        count += portion.length
        await made.apply(
          portion.map((item) => ({ item, gone: false })),
          { ...at, complete: false },
        )
        came()
        signal.throwIfAborted()
      }
      if (count !== whole.items) throw new Away(`the list has ${count} of ${whole.items} items`)
      const finished = await made.finish({ ...at, complete: true })
      vain = false
      answered()
      return finished
    } catch (error) {
      vain = true
      await made?.close()
      // Or each try would leave a part of a list on the disk.
      ports.lists.removeOthers()
      throw error
    }
  }

  /** Applies one page of changes. */
  async function step(from: EdgeList): Promise<void> {
    const state: ListState = from.state()
    const asked = performance.now()
    const page = await feed.deltas(state.cursor, waits ? wait : 0, signal)
    answered()
    if (page === null) throw new Gap('the cursor is too old')
    const { changes, first, last, cursor, more } = page
    if (changes.length > 0 && first !== state.sequence + 1)
      throw new Gap(`the change ${state.sequence + 1} is missing; the next one is ${first}`)
    // A platform that answers at once is not asked in a circle.
    if (changes.length === 0 && (waits || more) && performance.now() - asked < FIRST_PAUSE_MS)
      await pause(FIRST_PAUSE_MS, signal)
    if (changes.length === 0 && cursor === state.cursor) return
    try {
      await from.apply(changes, { ...state, cursor, sequence: changes.length > 0 ? last : state.sequence })
    } finally {
      // Of very many changes the first ones stay, though the disk had no room for the others.
      if (changes.length > 0) changed(from)
    }
  }

  while (!signal.aborted) {
    try {
      if (anew) {
        const before = current
        current = await readWhole()
        anew = false
        changed(current)
        if (before !== null) await before.close()
        ports.lists.removeOthers()
        report('read', `${current.state().items} items at the sequence ${current.state().sequence}`)
      }
      await step(current!)
      again = FIRST_PAUSE_MS
      gaps = 0
      waits = true
    } catch (error) {
      if (signal.aborted) return
      waits = false
      if (error instanceof Gap) {
        anew = true
        report('gap', error.message)
        if (gaps++ > 0) {
          await pause(again, signal)
          again = Math.min(LONGEST_PAUSE_MS, again * 2)
        }
        continue
      }
      if (error instanceof Refused && current === null) throw error
      // A full disk, say: nothing of the change is there, and it is asked for again.
      const what = error instanceof Refused ? 'refused' : error instanceof Away ? 'away' : 'failed'
      report(what, (error as Error).message)
      const asked = error instanceof Away ? error.againInMs : null
      await pause(Math.min(LONGEST_PAUSE_MS, asked ?? again), signal)
      again = Math.min(LONGEST_PAUSE_MS, again * 2)
    }
  }
}
