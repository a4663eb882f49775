import { stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { History } from '../../../connectors/history/port.ts'
import { logBreakers } from '../../../connectors/operations/breakers/breakers.ts'
import { deadLetterBox } from '../../../connectors/operations/dead-letters/box.ts'
import { consumerLag } from '../../../connectors/operations/lag/consumer-lag.ts'
import { registryRules } from '../../../connectors/registry/compatibility-rules.ts'
import type { Config } from '../../../platform/config.ts'
import { reachEngine } from '../../wiring/open/engine.ts'
import { openGenerations, openHistory } from '../../wiring/open/open-history.ts'
import { type OpenLog, openLog } from '../../wiring/open/open-log.ts'
import { type OpenRegistry, openRegistry } from '../../wiring/open/registry.ts'
import { readAdministrator } from '../admin/context.ts'
import { accountsCheck } from '../doctor/accounts-checks.ts'
import { diskCheck } from '../doctor/disk.ts'
import type { Check } from '../doctor/finding.ts'
import { breakersCheck, countersCheck, historyCheck } from '../doctor/history-checks.ts'
import { deadLettersCheck, lagCheck, logCheck, partitionsCheck } from '../doctor/log-checks.ts'
import { lookupIndexCheck } from '../doctor/lookups.ts'
import { registryCheck, registryLevelsCheck, repairedLevel } from '../doctor/registry.ts'
import { clockCheck, settingsCheck, tiersCheck } from '../doctor/settings-checks.ts'
import { openLookupIndex } from './lookup-index.ts'

/**
 * Every check over what is configured. A part that cannot be opened fails its own checks and leaves the others alone;
 * nothing is opened that the checks before it have found to be missing.
 */
export async function openDoctor(
  config: Config,
  { repair }: { repair: boolean },
): Promise<{ checks: Check[]; url: string; close(): Promise<void> }> {
  const opened: (() => Promise<unknown>)[] = []
  const checks: Check[] = [settingsCheck(config), tiersCheck(config.tiersFile), clockCheck()]
  const isEmpty = (await stat(resolve(config.dataDir)).catch(() => null)) === null
  const local = config.kafkaBrokers === null || config.clickhouseUrl === null || config.databaseUrl === null
  if (local && isEmpty) {
    const why = new Error(`the data folder ${resolve(config.dataDir)} does not exist`)
    checks.push(
      failedCheck('data folder', 'set HARRIER_DATA_DIR, or start the platform once to create the folder', why),
    )
  } else {
    if (local) checks.push(diskCheck(config.dataDir))
    await openLogChecks()
    checks.push(
      historyCheck(openStore, Date.now),
      accountsCheck(config, Date.now),
      lookupIndexCheck(openLookupIndex(config).status),
      countersCheck(config.url, administrator),
    )
  }
  return {
    checks,
    url: config.url,
    close: async () => {
      for (const close of opened.reverse()) await close().catch(() => undefined)
    },
  }

  async function administrator() {
    return (
      config.administrator ?? (await readAdministrator(join(config.dataDir, 'administrator.json')).catch(() => null))
    )
  }

  async function openLogChecks(): Promise<void> {
    const where = config.kafkaBrokers === null ? `the log in ${join(resolve(config.dataDir), 'log')}` : 'Kafka'
    let log: OpenLog
    try {
      log = await openLog(config)
    } catch (error) {
      checks.push(failedCheck('log', 'start the brokers of KAFKA_BROKERS, or check HARRIER_DATA_DIR', error))
      return
    }
    opened.push(() => log.close())
    const lag = consumerLag(log, Date.now)
    const kind = config.kafkaBrokers === null ? 'embedded' : 'kafka'
    checks.push(
      logCheck(log, where),
      partitionsCheck(log, kind, log.keyPartitions),
      lagCheck(lag, Date.now),
      breakersCheck(logBreakers(log)),
    )
    const registry = registryOnce()
    checks.push(
      config.schemaRegistryUrl === null
        ? repairedLevelsCheck(registry)
        : registryLevelsCheck(registryRules(config.schemaRegistryUrl), repair),
      registryCheck(registry),
      deadLettersCheck(async () => deadLetterBox({ log, registry: await registry(), now: Date.now })),
    )
  }

  /** The registry is opened by the first check that needs it: its levels, which may keep it shut, are looked at before. */
  function registryOnce(): () => Promise<OpenRegistry> {
    let opening: Promise<OpenRegistry> | undefined
    return () => {
      opening ??= openRegistry(config).then((registry) => {
        opened.push(() => registry.close())
        return registry
      })
      return opening
    }
  }

  async function openStore(): Promise<History> {
    const engine = await reachEngine(config)
    const history = openHistory(engine.url)
    opened.push(() => history.close().finally(engine.stop))
    const { database } = await openGenerations(history, engine.url, config.clickhouseCluster).current()
    return history.at(database)
  }
}

/** The embedded registry sets the levels of the platform's subjects by itself whenever it is opened. */
const repairedLevelsCheck = (registry: () => Promise<OpenRegistry>): Check => ({
  name: 'registry',
  todo: '/help/operate/runbooks/registry/',
  run: async () => (await registry()).mended.map(({ subject, was }) => repairedLevel(subject, was)),
})

/** The check of a part that could not even be opened. */
const failedCheck = (name: string, todo: string, error: unknown): Check => ({
  name,
  todo,
  run: async () => {
    throw error
  },
})
