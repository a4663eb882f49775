/** What the end of an owner does to its feeds. */

import type { Transaction } from 'kysely'
import type { FeedOwner } from '../../../schemas/feeds-out/rights.ts'
import { storeRecords } from '../operation/outbox-append.ts'
import type { Tables } from '../tables/tables.ts'
import { commandRecord } from './feed-commands.ts'

/** Rows of one statement: PostgreSQL takes 65,535 parameters. */
const INSERTED = 1_000

/**
 * Deletes all feeds of the owner with their tokens, and tells the job, in the transaction that deletes the owner and has
 * locked its row. The keys are not locked: the lock on each deleted row, which every other command of the feed takes too,
 * keeps the order, and an owner may have thousands. `at` in unix milliseconds.
 */
export async function deleteFeedsOf(tx: Transaction<Tables>, owner: FeedOwner, at: number): Promise<void> {
  const gone = await tx
    .deleteFrom('feeds')
    .where('owner_kind', '=', owner.kind)
    .where('owner_id', '=', owner.id)
    .returning('id')
    .execute()
  const records = gone.map(({ id }) => commandRecord({ kind: 'delete', id }, at))
  for (let from = 0; from < records.length; from += INSERTED)
    await storeRecords(tx, records.slice(from, from + INSERTED))
}
