import type { DeltaOp, FeedDelta } from '../../../schemas/feeds-out/delta.ts'
import { type FeedItemRow, itemOfRow, reasonOf } from '../sql/feeds-out/columns.ts'

export type FeedDeltaRow = FeedItemRow & { sequence: string; op: DeltaOp; reason: string; moment: string }

export const deltaOfRow = (row: FeedDeltaRow): FeedDelta => ({
  sequence: Number(row.sequence),
  op: row.op,
  reason: reasonOf(row.reason),
  at: Number(row.moment),
  item: itemOfRow(row),
})
