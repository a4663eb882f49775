import type { AlertStore } from '../../../connectors/postgres/casework/alerts/port.ts'
import { type Rounds, startRounds } from '../../../platform/rounds.ts'
import { ALERTS_KEPT_MS } from '../../../schemas/casework/alert.ts'

/** Rows of one statement, and statements of one round. */
const AT_ONCE = 2_000
const STATEMENTS = 50
const EVERY_MS = 10 * 60_000
/** A process that asks less often reads all watchlists anew. */
const MOVES_KEPT_MS = 24 * 60 * 60_000

type Swept = { alerts: number; moves: number }

/** Removes what is too old, at most 100,000 rows of each kind. */
export async function sweepOnce({ lists, writer }: AlertStore, now: number): Promise<Swept> {
  const drained = async (step: () => Promise<number>): Promise<number> => {
    let sum = 0
    for (let n = 0; n < STATEMENTS; n++) {
      const gone = await step()
      sum += gone
      if (gone < AT_ONCE) break
    }
    return sum
  }
  return {
    alerts: await drained(() => writer.sweep(now - ALERTS_KEPT_MS, AT_ONCE)),
    moves: await drained(() => lists.forgetMoves(now - MOVES_KEPT_MS, AT_ONCE)),
  }
}

/** The same every ten minutes, until it is stopped. */
export const sweepAlerts = (store: AlertStore, now: () => number, onFailure: (error: Error) => void): Rounds =>
  startRounds({
    async round() {
      await sweepOnce(store, now())
      return EVERY_MS
    },
    onFailure,
    failedMs: 1_000,
    maxPauseMs: EVERY_MS,
  })
