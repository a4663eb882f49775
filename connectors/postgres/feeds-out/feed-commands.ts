/** What the job that keeps the lists is told of a change, in the transaction of the change. */

import { randomUUID } from 'node:crypto'
import type { Transaction } from 'kysely'
import { encodeCommand, type FeedCommand } from '../../../schemas/feeds-out/command.ts'
import { FEED_COMMANDS } from '../../../schemas/log/topics.ts'
import { Refused } from '../accounts/plan/member-quotas.ts'
import { type Appended, appendRecords } from '../operation/outbox-append.ts'
import type { Tables } from '../tables/tables.ts'
import type { FeedDefinition } from './port.ts'

/**
 * Longest record, in bytes: brokers refuse one of 1 MiB with its frame, and one that the log refuses would stand in the
 * way of all that was stored after it.
 */
const MAX_RECORD_BYTES = 1_000_000

/** Throws Refused: `too large`. */
export const appendCommand = (tx: Transaction<Tables>, command: FeedCommand, at: number): Promise<void> =>
  appendRecords(tx, [commandRecord(command, at)])

/** A command as a record of the log. Throws Refused: `too large`. */
export function commandRecord(command: FeedCommand, at: number): Appended {
  const record = encodeCommand(command)
  if (record.length > MAX_RECORD_BYTES) throw new Refused('too large')
  const key = command.kind === 'put' ? command.feed.id : command.id
  return { id: randomUUID(), topic: FEED_COMMANDS, key, record, createdAt: at }
}

/** The feed as it is now: what the job needs of it, and nothing else. */
export const putCommand = (feed: FeedDefinition): FeedCommand => {
  const { id, name, selector, groups, cap, guard, revision } = feed
  return { kind: 'put', feed: { id, name, selector, groups, cap, guard, revision } }
}
