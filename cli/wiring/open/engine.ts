import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { type Engine, startEngine } from '../../../connectors/history/engine/supervisor.ts'
import type { Config } from '../../../platform/config.ts'
import { leaveAddress } from './address.ts'
import { historyUrl, openHistory } from './open-history.ts'

/**
 * The file in which a running platform writes the address of its engine; as secret as the data folder that contains
 * it.
 */
const addressOf = (dataDir: string): string => join(resolve(dataDir), 'clickhouse.json')

/** Writes the address of the engine for commands of the same user, until the returned function removes it. */
export const leaveEngine = (dataDir: string, engine: Engine): Promise<() => Promise<void>> =>
  leaveAddress(addressOf(dataDir), historyUrl(engine))

export type ReachedEngine = {
  url: string
  /** Whether the platform that it belongs to is running. */
  shared: boolean
  stop(): Promise<void>
}

/**
 * The history store for a command: the one that is configured, else the engine of the running platform, else one of its
 * own over the same folder.
 * @throws Error that names the folder when another process has it and does not say how to ask
 */
export async function reachEngine(config: Pick<Config, 'clickhouseUrl' | 'dataDir'>): Promise<ReachedEngine> {
  const url = await runningEngine(config)
  if (url !== null) return { url, shared: true, stop: async () => undefined }
  const engine = await startEngine({ dataDir: join(resolve(config.dataDir), 'clickhouse') })
  return { url: historyUrl(engine), shared: false, stop: () => engine.stop() }
}

/** The history store that is there without being started: the one that is configured, or the running platform's; or null. */
export const runningEngine = async ({
  clickhouseUrl,
  dataDir,
}: Pick<Config, 'clickhouseUrl' | 'dataDir'>): Promise<string | null> => clickhouseUrl ?? running(dataDir)

/** The address in the file, if an engine answers there: a platform that was killed leaves the file behind. */
async function running(dataDir: string): Promise<string | null> {
  const text = await readFile(addressOf(dataDir), 'utf8').catch(() => null)
  if (text === null) return null
  const { url } = JSON.parse(text) as { url: string }
  const history = openHistory(url)
  try {
    await history.ping()
    return url
  } catch {
    return null
  } finally {
    await history.close()
  }
}
