import { join, resolve } from 'node:path'
import type { RepairedLevel } from '../../../connectors/registry/embedded/own.ts'
import type { Registry } from '../../../connectors/registry/port.ts'
import { registryClient } from '../../../connectors/registry/registry-client.ts'
import type { Config } from '../../../platform/config.ts'
import { subjects } from '../../../schemas/log/records.ts'
import type { RecordName } from '../../../schemas/log/topics.ts'
import { leaveAddress } from './address.ts'

export type OpenRegistry = Registry & {
  /** As secret as the data folder: it may hold the credentials of the registry. */
  url: string
  /** Of the embedded registry: subjects of ours whose level was wrong and has been repaired. */
  mended: RepairedLevel[]
  /** Ids of our own schemas, registered and checked for compatibility. */
  ids: Readonly<Record<RecordName, number>>
  close(): Promise<void>
}

const ownSubjects = () => new Map(subjects().map(({ subject, type }) => [subject, type]))

/**
 * The configured schema registry, or an embedded one over the schemas in the data folder, always over HTTP.
 * @throws Error that names the subject whose level or schema is not ours
 */
export async function openRegistry({ schemaRegistryUrl, dataDir }: Config): Promise<OpenRegistry> {
  const embedded = schemaRegistryUrl === null ? await startEmbedded(join(resolve(dataDir), 'log')) : null
  const url = schemaRegistryUrl ?? embedded!.url
  try {
    const registry = registryClient({ url })
    // One schema, one id, whatever the subject.
    const ids = {} as Record<RecordName, number>
    for (const { record, subject, type } of subjects()) ids[record] = await registry.register(subject, type)
    return {
      ...registry,
      url,
      mended: embedded?.mended ?? [],
      ids,
      close: async () => embedded?.close(),
    }
  } catch (error) {
    await embedded?.close()
    throw error
  }
}

/** A server of its own: what only asks a registry does not load it. */
async function startEmbedded(folder: string) {
  const { embeddedRegistry } = await import('../../../connectors/registry/embedded/registry-server.ts')
  return embeddedRegistry({ folder, own: ownSubjects() })
}

/** Writes the address of the embedded registry for clients of the same user, until the returned function removes it. */
export const leaveRegistry = (dataDir: string, url: string): Promise<() => Promise<void>> =>
  leaveAddress(join(resolve(dataDir), 'registry.json'), url)
