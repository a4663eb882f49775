import { createHash, randomUUID } from 'node:crypto'
import { openRegistry } from '../../../cli/wiring/open/registry.ts'
import type { EventLog } from '../../../connectors/log/port.ts'
import { loadConfig } from '../../../platform/config.ts'
import type { Observation } from '../../../schemas/intelligence/observations/observation.ts'
import { encoder } from '../../../schemas/log/codec.ts'
import { records } from '../../../schemas/log/records.ts'
import { OBSERVATIONS } from '../../../schemas/log/topics.ts'
import { logOf } from '../platform/data-folder.ts'
import { DAY, observation } from './observation.ts'

/** Appends reports of other days to the log of a platform, which may be running: no caller can report of the past. */
export async function reportedBefore(dataDir: string, reports: readonly Partial<Observation>[]): Promise<void> {
  const registry = await openRegistry(loadConfig({ HARRIER_DATA_DIR: dataDir }))
  const log = await logOf(dataDir)
  try {
    await appendReports(log, registry.ids.observation, reports)
  } finally {
    await log.close()
    await registry.close()
  }
}

/** Appends reports to a log as its jobs read them, past the API; `schema` is their id in the registry. */
export async function appendReports(
  log: Pick<EventLog, 'send'>,
  schema: number,
  reports: readonly Partial<Observation>[],
): Promise<void> {
  const encode = encoder<Observation>(records.observation, schema)
  const messages = reports
    .map((report) => observation({ id: randomUUID(), source: 'before', ...report }))
    .map((report) => ({ key: report.entityId, value: encode(report) }))
  await log.send([{ topic: OBSERVATIONS, messages }])
}

/** A file that was seen so many days ago; what is said of files holds for half a year. */
export const file = (name: string, days: number, reputation: number, tags: string[] = []): Partial<Observation> => ({
  type: 'sha256',
  value: createHash('sha256').update(name).digest('hex'),
  reputation,
  tags,
  observedAt: Date.now() - days * DAY,
})
