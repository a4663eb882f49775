import { join, resolve } from 'node:path'
import { registryClient } from '../../connectors/registry/client.ts'
import { embeddedRegistry } from '../../connectors/registry/embedded/server.ts'
import type { Registry } from '../../connectors/registry/port.ts'
import type { Config } from '../../schemas/config.ts'
import { records } from '../../schemas/records.ts'
import { ACCOUNT_LIFECYCLE, FEEDS, OBSERVATIONS, SUBMISSIONS } from '../../schemas/topics.ts'

export type OpenRegistry = Registry & {
  url: string
  /** Ids of our own schemas, registered and checked for compatibility. */
  ids: { observation: number; submission: number; feed: number; lifecycle: number }
  close(): Promise<void>
}

/** The configured schema registry, or an embedded one over the schemas in the data folder, always over HTTP. */
export async function openRegistry({ schemaRegistryUrl, dataDir }: Config): Promise<OpenRegistry> {
  const embedded = schemaRegistryUrl === null ? await embeddedRegistry({ folder: join(resolve(dataDir), 'log') }) : null
  const url = schemaRegistryUrl ?? embedded!.url
  const registry = registryClient({ url })
  const ids = {
    observation: await registry.register(`${OBSERVATIONS}-value`, records.observation),
    submission: await registry.register(`${SUBMISSIONS}-value`, records.submission),
    feed: await registry.register(`${FEEDS}-value`, records.feed),
    lifecycle: await registry.register(`${ACCOUNT_LIFECYCLE}-value`, records.lifecycle),
  }
  return { ...registry, url, ids, close: async () => embedded?.close() }
}
