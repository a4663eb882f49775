import { statfs } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { PartsCheck } from '../../../api/http/parts-health.ts'
import type { Metrics } from '../../../connectors/metrics/port.ts'

/** An unavailable part must not delay the display of the others: well below the 10 s of a usual scrape. */
const MEASURE_MS = 3_000

/** Waits for measurements, each for a bounded time. One that fails or is late leaves its metrics as they were. */
export async function measureAll(logger: Logger, work: readonly Promise<unknown>[], ms = MEASURE_MS): Promise<void> {
  const failed = (err: unknown): void => logger.debug({ err }, 'cannot measure a metric')
  await Promise.all(work.map((one) => Promise.race([one, sleep(ms, undefined, { ref: false })]).catch(failed)))
}

/** Which parts answer. A late part counts as unavailable until it has answered. */
export async function measureParts(checks: readonly PartsCheck[], { instruments: m }: Metrics): Promise<void> {
  await Promise.all(
    checks.map(async ({ name, check }) => {
      const late = setTimeout(() => m.harrier_component_ready.set({ part: name }, 0), MEASURE_MS / 2)
      const answered = await check().then(
        () => 1,
        () => 0,
      )
      clearTimeout(late)
      m.harrier_component_ready.set({ part: name }, answered)
    }),
  )
}

/** Room on the volume of the data folder. */
export async function measureDisk(folder: string, { instruments: m }: Metrics): Promise<void> {
  const { bavail, blocks, bsize } = await statfs(folder)
  m.harrier_data_free_bytes.set(bavail * bsize)
  m.harrier_data_size_bytes.set(blocks * bsize)
}
