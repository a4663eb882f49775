import type { EdgeItem, EdgeList } from '../../../connectors/edge-list/port.ts'
import type { FeedClient } from '../../../connectors/feed-client/port.ts'

/** Differences that are told. */
const MOST_TOLD = 20
/** The feed moves on: it is read again so often, until both are at one sequence. */
const TRIES = 10
const PAUSE_MS = 1_000

export type VerifyPorts = {
  feed: Pick<FeedClient, 'whole'>
  list: Pick<EdgeList, 'state' | 'items' | 'all'>
  pause: (ms: number, signal: AbortSignal) => Promise<void>
  signal: AbortSignal
}

export type Verified = { sequence: number; items: number; differences: string[] }

/**
 * Compares the list on the disk with the feed, both at one sequence (decisions 19.5).
 * @throws Error when that did not come about, and what the feed throws
 */
export async function verifyList({ feed, list, pause, signal }: VerifyPorts): Promise<Verified> {
  for (let tries = 0; tries < TRIES; tries++) {
    const whole = await feed.whole(signal)
    // What is behind it is applied meanwhile.
    for (let waits = 0; list.state().sequence < whole.sequence && waits < TRIES; waits++) await pause(PAUSE_MS, signal)
    if (list.state().sequence !== whole.sequence) {
      for await (const _ of whole.portions) signal.throwIfAborted()
      await pause(PAUSE_MS, signal)
      continue
    }
    const differences: string[] = []
    const differ = (text: () => string): void => {
      if (differences.length < MOST_TOLD) differences.push(text())
    }
    const seen = new Set<string>()
    for await (const portion of whole.portions)
      for (const item of portion) {
        seen.add(`${item.type} ${item.value}`)
        const ours = list.items(item.value).find(({ type }) => type === item.type)
        if (ours === undefined) differ(() => `missing: ${named(item)}`)
        else if (textOf(ours) !== textOf(item))
          differ(() => `other: ${named(item)}: ${cut(textOf(ours))}, not ${cut(textOf(item))}`)
      }
    for (const item of list.all())
      if (!seen.has(`${item.type} ${item.value}`)) differ(() => `not in the feed: ${named(item)}`)
    if (list.state().sequence === whole.sequence) return { sequence: whole.sequence, items: seen.size, differences }
  }
  throw new Error('the list and the feed were never at one sequence; is an edge running on this folder?')
}

/** Values may come from anybody: nothing in them may move the cursor of a terminal. */
const cut = (text: string): string => text.replace(/\p{C}/gu, '?').slice(0, 200)

const named = ({ type, value }: EdgeItem): string => `${type} ${cut(value)}`

const textOf = ({ reputation, accuracy, tags }: EdgeItem): string =>
  `reputation ${reputation}, accuracy ${accuracy}, tags ${[...tags].sort().join(' ')}`
