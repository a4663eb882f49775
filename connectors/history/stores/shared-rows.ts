import { availableParallelism } from 'node:os'
import { waitingLines } from '../../../platform/waiting-lines.ts'
import { entityKey } from '../../../schemas/intelligence/state/entity-state.ts'

/** Ids of one question that may share a statement; longer ones are asked alone. */
const FEW = 4
/**
 * Statements of one set of audiences that run at once: each keeps one processor busy, and the answers of the one before are
 * written meanwhile. More of them are smaller ones, and cost more together.
 */
const AT_ONCE = Math.max(1, availableParallelism() >> 1)
/** Questions of a statement. */
const MOST = 64
/** How long those who were just answered are waited for: less than a statement costs besides its keys. */
export const GATHER_MS = 2
/** Questions that wait for one set of audiences; more are asked alone. */
const MAX_WAITING = 1_000
/** Bytes of rows of a statement that is shared; past it each question is asked alone. */
const MAX_BYTES = 64 * 1024 * 1024

/** Error codes of the store for more bytes, or more memory, than a statement may take. */
const TOO_LARGE: ReadonlySet<unknown> = new Set(['396', '241'])

type Rows<Row> = ReadonlyMap<string, Row[]>

/** Rows of entities by id; unknown ones, and those that the audiences do not read, are absent. */
export type RowsById<Row> = (audiences: readonly bigint[], ids: readonly string[]) => Promise<Rows<Row>>

/**
 * Reads the rows with these keys in these audiences; those of other entities with the same keys may be among them.
 * @param maxBytes rejects with 396 past it
 */
export type ReadRows<Row> = (keys: readonly bigint[], audiences: readonly bigint[], maxBytes?: number) => Promise<Row[]>

type Waiting<Row> = {
  audiences: readonly bigint[]
  ids: readonly string[]
  answer: (rows: Promise<Rows<Row>>) => void
}

/**
 * Rows of a few entities, for many callers at the same time: questions of the same audiences share a statement. One that
 * fails is the failure of all who share it; one that is too large is asked again for each alone.
 */
export function sharedRows<Row extends { entity_id: string }>(
  read: ReadRows<Row>,
  { atOnce = AT_ONCE, most = MOST, maxWaiting = MAX_WAITING, maxBytes = MAX_BYTES } = {},
): RowsById<Row> {
  const join = waitingLines<Waiting<Row>>(together, { atOnce, most, maxWaiting, gatherMs: GATHER_MS })

  async function rowsOf(audiences: readonly bigint[], ids: readonly string[], bytes?: number): Promise<Rows<Row>> {
    const keys = [...new Set(ids.map(entityKey))]
    return Map.groupBy(await read(keys, audiences, bytes), (row) => row.entity_id)
  }

  const alone = async (audiences: readonly bigint[], ids: readonly string[]): Promise<Rows<Row>> =>
    only(ids, await rowsOf(audiences, ids))

  async function together(group: readonly Waiting<Row>[]): Promise<void> {
    const { audiences } = group[0]!
    const ids = [...new Set(group.flatMap((one) => one.ids))]
    const reading = rowsOf(audiences, ids, group.length > 1 ? maxBytes : undefined)
    const tooLarge = await reading.then(
      () => false,
      (error: { code?: unknown }) => group.length > 1 && TOO_LARGE.has(error.code),
    )
    if (!tooLarge) for (const one of group) one.answer(reading.then((rows) => only(one.ids, rows)))
    // One after another: together they were too much.
    else for (const one of group) await settle(one, alone(audiences, one.ids))
  }

  return (audiences, ids) => {
    if (ids.length > FEW) return alone(audiences, ids)
    return new Promise((answer) => {
      if (!join(audiences.join(), { audiences, ids, answer })) answer(alone(audiences, ids))
    })
  }
}

/** Of the rows of a group, those of one question. */
function only<Row>(ids: readonly string[], rows: Rows<Row>): Rows<Row> {
  const found = new Map<string, Row[]>()
  for (const id of ids) {
    const of = rows.get(id)
    if (of !== undefined) found.set(id, of)
  }
  return found
}

async function settle<Row>({ answer }: Waiting<Row>, rows: Promise<Rows<Row>>): Promise<void> {
  answer(rows)
  await rows.catch(() => undefined)
}
