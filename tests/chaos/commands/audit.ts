import { setTimeout as sleep } from 'node:timers/promises'
import { openRegistry } from '../../../cli/wiring/open/registry.ts'
import { loadConfig } from '../../../platform/config.ts'
import { seededRandom } from '../../../platform/random.ts'
import { logOf } from '../../builders/platform/data-folder.ts'
import { remove, startPlatform, temporaryFolder } from '../../builders/platform/platform.ts'
import { auditVerdict, startAccounts } from '../harness/live/accounts.ts'
import { command } from '../harness/outcome.ts'

/** A kill comes this long after the platform is ready, at most. */
const MAX_UP_MS = 1_500

export const audit = command({
  what: 'the platform is killed while accounts are made: as many audit records as accounts, in chains that are whole',
  options: { rounds: 100, seed: 1 },
  async run({ rounds, seed }, print) {
    const random = seededRandom(seed)
    const dataDir = temporaryFolder()
    let platform = await startPlatform(dataDir)
    const [log, registry] = await Promise.all([logOf(dataDir), openRegistry(loadConfig({ HARRIER_DATA_DIR: dataDir }))])
    const accounts = startAccounts(() => platform)
    try {
      for (let round = 0; round < rounds; round++) {
        await sleep(random() * MAX_UP_MS)
        await platform.kill()
        platform = await startPlatform(dataDir)
      }
      await accounts.stop()
      const acknowledged = accounts.acknowledged()
      const { verified, faults, ...counted } = await auditVerdict(platform, log, registry, acknowledged)
      print(verified)
      return { figures: { rounds, asked: accounts.asked(), acknowledged, ...counted }, faults }
    } finally {
      await platform.kill()
      await accounts.stop()
      await Promise.all([log.close(), registry.close()])
      remove(dataDir)
    }
  },
})
