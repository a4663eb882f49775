import { retry } from '../../../../platform/retry.ts'
import type { Teller } from './teller.ts'

const PAUSES_MS = [100, 250, 500, 1_000, 2_000]
/** Longer than a store takes to begin again; by then clients wait for a heartbeat. */
const PATIENCE_MS = 15_000

/**
 * A teller that asks again for some seconds when the history store cannot be asked, so that a store which begins anew does
 * not end all streams.
 * @throws the last error, when it could not be asked all the time
 */
export const patientTeller =
  (tell: Teller, forMs = PATIENCE_MS): Teller =>
  (reader, changes) =>
    retry(() => tell(reader, changes), { forMs, pausesMs: PAUSES_MS })
