import { join, resolve } from 'node:path'
import { registryClient } from '../../../connectors/registry/client.ts'
import type { RepairedLevel } from '../../../connectors/registry/embedded/own.ts'
import type { Registry } from '../../../connectors/registry/port.ts'
import type { Config } from '../../../platform/config.ts'
import { subjectOf, TOPIC_RECORDS } from '../../../schemas/log/topic-records.ts'
import {
  ACCOUNT_LIFECYCLE,
  AUDIT_EVENTS,
  CHANGES,
  FEED_DELTAS,
  FEEDS,
  MATCHES,
  OBSERVATIONS,
  SCANS_OF_USERS,
  SCORING_RULES,
  SUBMISSIONS,
  TELEMETRY,
} from '../../../schemas/log/topics.ts'
import { leaveAddress } from './address.ts'

export type OpenRegistry = Registry & {
  /** As secret as the data folder: it may hold the credentials of the registry. */
  url: string
  /** Of the embedded registry: subjects of ours whose level was wrong and has been repaired. */
  mended: RepairedLevel[]
  /** Ids of our own schemas, registered and checked for compatibility. */
  ids: {
    audit: number
    observation: number
    change: number
    submission: number
    feed: number
    feedDelta: number
    lifecycle: number
    scanRequest: number
    scoringRules: number
    telemetry: number
    match: number
  }
  close(): Promise<void>
}

const OWN = new Map(Object.entries(TOPIC_RECORDS).map(([topic, type]) => [subjectOf(topic), type]))

/**
 * The configured schema registry, or an embedded one over the schemas in the data folder, always over HTTP.
 * @throws Error that names the subject whose level or schema is not ours
 */
export async function openRegistry({ schemaRegistryUrl, dataDir }: Config): Promise<OpenRegistry> {
  const embedded = schemaRegistryUrl === null ? await startEmbedded(join(resolve(dataDir), 'log')) : null
  const url = schemaRegistryUrl ?? embedded!.url
  try {
    const registry = registryClient({ url })
    const ids = new Map<string, number>()
    for (const [subject, type] of OWN) ids.set(subject, await registry.register(subject, type))
    const idOf = (topic: string): number => ids.get(subjectOf(topic))!
    return {
      ...registry,
      url,
      mended: embedded?.mended ?? [],
      ids: {
        audit: idOf(AUDIT_EVENTS),
        observation: idOf(OBSERVATIONS),
        change: idOf(CHANGES),
        submission: idOf(SUBMISSIONS),
        feed: idOf(FEEDS),
        feedDelta: idOf(FEED_DELTAS),
        lifecycle: idOf(ACCOUNT_LIFECYCLE),
        // One schema, one id, whatever the subject.
        scanRequest: idOf(SCANS_OF_USERS),
        scoringRules: idOf(SCORING_RULES),
        telemetry: idOf(TELEMETRY),
        match: idOf(MATCHES),
      },
      close: async () => embedded?.close(),
    }
  } catch (error) {
    await embedded?.close()
    throw error
  }
}

/** A server of its own: what only asks a registry does not load it. */
async function startEmbedded(folder: string) {
  const { embeddedRegistry } = await import('../../../connectors/registry/embedded/server.ts')
  return embeddedRegistry({ folder, own: OWN })
}

/** Writes the address of the embedded registry for clients of the same user, until the returned function removes it. */
export const leaveRegistry = (dataDir: string, url: string): Promise<() => Promise<void>> =>
  leaveAddress(join(resolve(dataDir), 'registry.json'), url)
