import { join, resolve } from 'node:path'
import { registryClient } from '../../connectors/registry/client.ts'
import { embeddedRegistry } from '../../connectors/registry/embedded/server.ts'
import type { Registry } from '../../connectors/registry/port.ts'
import type { Config } from '../../schemas/config.ts'
import { records } from '../../schemas/records.ts'
import {
  ACCOUNT_LIFECYCLE,
  AUTOMATIC_SCANS,
  CHANGES,
  FEEDS,
  OBSERVATIONS,
  SCANS_OF_USERS,
  SCORING_RULES,
  SUBMISSIONS,
} from '../../schemas/topics.ts'

export type OpenRegistry = Registry & {
  url: string
  /** Ids of our own schemas, registered and checked for compatibility. */
  ids: {
    observation: number
    change: number
    submission: number
    feed: number
    lifecycle: number
    scanRequest: number
    scoringRules: number
  }
  close(): Promise<void>
}

/** The configured schema registry, or an embedded one over the schemas in the data folder, always over HTTP. */
export async function openRegistry({ schemaRegistryUrl, dataDir }: Config): Promise<OpenRegistry> {
  const embedded = schemaRegistryUrl === null ? await embeddedRegistry({ folder: join(resolve(dataDir), 'log') }) : null
  const url = schemaRegistryUrl ?? embedded!.url
  const registry = registryClient({ url })
  // One schema, one id, whatever the subject.
  await registry.register(`${AUTOMATIC_SCANS}-value`, records.scanRequest)
  const ids = {
    observation: await registry.register(`${OBSERVATIONS}-value`, records.observation),
    change: await registry.register(`${CHANGES}-value`, records.change),
    submission: await registry.register(`${SUBMISSIONS}-value`, records.submission),
    feed: await registry.register(`${FEEDS}-value`, records.feed),
    lifecycle: await registry.register(`${ACCOUNT_LIFECYCLE}-value`, records.lifecycle),
    scanRequest: await registry.register(`${SCANS_OF_USERS}-value`, records.scanRequest),
    scoringRules: await registry.register(`${SCORING_RULES}-value`, records.scoringRules),
  }
  return { ...registry, url, ids, close: async () => embedded?.close() }
}
