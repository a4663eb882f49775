import type { Feed } from './feed.ts'

/**
 * What the API asks of the job that keeps the lists: a record of the topic `feed.commands` as JSON text, keyed by the feed,
 * in the order of the transactions that stored it.
 */
export type FeedCommand =
  /** A feed was made or changed. */
  | { kind: 'put'; feed: Feed }
  | { kind: 'delete'; id: string }
  /** Its owner stops it, or lets through what is held. */
  | { kind: 'hold' | 'release'; id: string; at: number }

export const encodeCommand = (command: FeedCommand): Buffer => Buffer.from(JSON.stringify(command))

/** null: not what the API writes. */
export function commandIn(bytes: Buffer | null): FeedCommand | null {
  try {
    const command = JSON.parse(String(bytes)) as Partial<FeedCommand> & { feed?: Partial<Feed>; id?: unknown }
    switch (command.kind) {
      case 'put':
        return typeof command.feed?.id === 'string' && Array.isArray(command.feed.groups)
          ? (command as FeedCommand)
          : null
      case 'delete':
      case 'hold':
      case 'release':
        return typeof command.id === 'string' ? (command as FeedCommand) : null
      default:
        return null
    }
  } catch {
    return null
  }
}
