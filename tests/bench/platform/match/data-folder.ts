/** A data folder of a platform with indicators and telemetry in it, that no platform has open. */

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { generations } from '../../../../connectors/history/generations/generations.ts'
import type { History } from '../../../../connectors/history/port.ts'
import { observationStore } from '../../../../connectors/history/stores/observations.ts'
import { logMatchSettings } from '../../../../connectors/operations/match-settings/settings.ts'
import { embeddedRegistry } from '../../../../connectors/registry/embedded/registry-server.ts'
import { registryClient } from '../../../../connectors/registry/registry-client.ts'
import { applyBatch } from '../../../../pipelines/processors/intelligence/apply-batch.ts'
import { audienceId } from '../../../../schemas/intelligence/observations/audience.ts'
import type { EntityState } from '../../../../schemas/intelligence/state/entity-state.ts'
import { encoder } from '../../../../schemas/log/codec.ts'
import { records, subjects } from '../../../../schemas/log/records.ts'
import { ACCEPTED_TELEMETRY } from '../../../../schemas/log/topics.ts'
import type { TelemetryRecord } from '../../../../schemas/match/event.ts'
import type { OwnerSettings } from '../../../../schemas/match/settings.ts'
import { observation } from '../../../builders/intelligence/observation.ts'
import { logOf, withHistory } from '../../../builders/platform/data-folder.ts'
import { run } from '../../../builders/platform/platform.ts'
import { settled } from '../../parts/seeded-store.ts'
import { fillEntities } from '../../parts/state-table.ts'
import { eventMaker, HITS, indicatorOf } from './events.ts'

export const OWNER = 'customer:7a2f0f6e-1111-4222-8333-444455556666'
export const PUBLIC_AUDIENCE = audienceId(['public'])
/** Everything that is known is in the index of the owner, so that it is as large as the table. */
export const SETTINGS: OwnerSettings = {
  owner: OWNER,
  revision: 2,
  changedAt: Date.now(),
  selector: { reputation: { lte: 3 }, wellKnown: false },
  groups: ['public'],
  retentionDays: 30,
  sightings: null,
}
const AT_ONCE = 10_000
const SEND = 20_000

type LogRecord = { key: string | null; value: Buffer; timestamp: number }
const DAY = 86_400_000

async function putSettings(dataDir: string): Promise<void> {
  const log = await logOf(dataDir)
  await logMatchSettings(log).put(SETTINGS)
  await log.close()
}

/** The indicators that events meet, as the observation job makes their rows; some at a time. */
export function* hitRows(): Generator<EntityState[]> {
  const rules = { dedupeWindow: 1, locate: () => ({ country: '', asn: 0, aso: '' }) }
  for (let from = 0; from < HITS; from += AT_ONCE) {
    const batch = Array.from({ length: Math.min(AT_ONCE, HITS - from) }, (_, i) => ({
      observation: observation({
        ...indicatorOf(from + i),
        observedAt: Date.now() - DAY,
        sourceKind: 'feed',
        trust: 0.9,
      }),
      partition: 0,
      offset: from + i,
      audience: PUBLIC_AUDIENCE,
    }))
    yield applyBatch(new Map(), batch, rules).rows
  }
}

async function putHits(history: History): Promise<void> {
  const store = observationStore(history)
  let token = 0
  for (const rows of hitRows()) await store.entities(rows, `hits:${token++}`)
  await store.audiences(new Map([[PUBLIC_AUDIENCE, ['public']]]), 'hits')
}

/**
 * A folder with so many indicators; one that is there already is taken as it is.
 * @returns whether it was made now
 */
export async function madeFolder(
  dataDir: string,
  indicators: number,
  more: (home: History) => Promise<void> = async () => undefined,
): Promise<boolean> {
  if (existsSync(join(dataDir, 'clickhouse'))) return false
  await (await run(dataDir, {}, 'up')).stop()
  await withHistory(dataDir, async (home) => {
    const { database } = await generations(home, { mode: 'single', home: 'harrier' }).current()
    const history = home.at(database)
    if (indicators > 0) await fillEntities(history, indicators, false)
    await history.command('SYSTEM START MERGES entities')
    await putHits(history)
    await more(home)
    await settled(history)
  })
  await putSettings(dataDir)
  return true
}

async function telemetrySchema(dataDir: string): Promise<number> {
  const own = new Map(subjects().map(({ subject, type }) => [subject, type]))
  const registry = await embeddedRegistry({ folder: join(dataDir, 'log'), own })
  try {
    return await registryClient({ url: registry.url }).register(`${ACCEPTED_TELEMETRY}-value`, records.telemetry)
  } finally {
    await registry.close()
  }
}

/** Events as the API writes them, ready to be appended. */
export async function encodedEvents(dataDir: string, count: number, seed: number): Promise<LogRecord[]> {
  const encode = encoder<TelemetryRecord>(records.telemetry, await telemetrySchema(dataDir))
  const now = Date.now()
  const make = eventMaker(seed, OWNER, now)
  return Array.from({ length: count }, () => {
    const event = make()
    return { key: event.id, value: encode(event), timestamp: now }
  })
}

/** To the log of a platform that may be running. */
export async function appendEvents(dataDir: string, messages: readonly LogRecord[]): Promise<void> {
  const log = await logOf(dataDir)
  for (let from = 0; from < messages.length; from += SEND)
    await log.send([{ topic: ACCEPTED_TELEMETRY, messages: messages.slice(from, from + SEND) }])
  await log.close()
}
