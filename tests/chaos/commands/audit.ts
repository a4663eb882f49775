import { setTimeout as sleep } from 'node:timers/promises'
import { seededRandom } from '../../../platform/random.ts'
import { command as harrier } from '../../builders/platform/command.ts'
import { eventually, remove, startPlatform, temporaryFolder } from '../../builders/platform/platform.ts'
import { command } from '../harness/outcome.ts'

const CLIENTS = 4
/** A kill comes this long after the platform is ready, at most. */
const MAX_UP_MS = 1_500
const ENDS_MS = 60_000

export const audit = command({
  what: 'the platform is killed while accounts are made: as many audit records as accounts, in chains that are whole',
  options: { rounds: 100, seed: 1 },
  async run({ rounds, seed }, print) {
    const random = seededRandom(seed)
    const dataDir = temporaryFolder()
    let platform = await startPlatform(dataDir)
    let isOver = false
    let asked = 0
    let acknowledged = 0
    const client = async (name: number): Promise<void> => {
      while (!isOver) {
        const email = `user-${name}-${asked++}@example.com`
        const answer = await platform.ask('/auth/v2/admin/user', { email }).catch(() => null)
        if (answer?.status === 201) acknowledged++
        else await sleep(50)
      }
    }
    try {
      const clients = Array.from({ length: CLIENTS }, (_, name) => client(name))
      for (let round = 0; round < rounds; round++) {
        await sleep(random() * MAX_UP_MS)
        await platform.kill()
        platform = await startPlatform(dataDir)
      }
      isOver = true
      await Promise.all(clients)
      const made = await usersOf((path) => platform.ask(path))
      const records = async () => {
        const { stdout } = await harrier(dataDir, 'audit', 'export')
        return stdout
          .split('\n')
          .filter((line) => line !== '')
          .map((line) => JSON.parse(line) as { action: string; subject: string })
          .filter(({ action }) => action === 'user.make')
          .map(({ subject }) => subject)
      }
      const recorded = await eventually(records, (ids) => ids.length >= made.size, ENDS_MS).catch(records)
      const verified = await harrier(dataDir, 'audit', 'verify')
      print(verified.stdout.trimEnd())
      const distinct = new Set(recorded)
      const missing = [...made].filter((id) => !distinct.has(id)).length
      const extra = [...distinct].filter((id) => !made.has(id)).length
      const faults: string[] = []
      if (missing > 0) faults.push(`${missing} changes have no record`)
      if (extra > 0) faults.push(`${extra} records have no change`)
      if (recorded.length > distinct.size) faults.push(`${recorded.length - distinct.size} changes have two records`)
      if (verified.code !== 0) faults.push(`verify ended with ${verified.code}: ${verified.stdout}`)
      if (made.size < acknowledged) faults.push(`${acknowledged - made.size} acknowledged changes are gone`)
      return { figures: { rounds, asked, acknowledged, changes: made.size, records: recorded.length }, faults }
    } finally {
      isOver = true
      await platform.kill()
      remove(dataDir)
    }
  },
})

/** Ids of all users that the clients made. */
async function usersOf(ask: (path: string) => Promise<{ body: { pages: number; users: { userID: string }[] } }>) {
  const ids = new Set<string>()
  for (let page = 1, pages = 1; page <= pages; page++) {
    const { body } = await ask(`/auth/v2/admin/users?limit=100&page=${page}`)
    pages = body.pages
    for (const { userID } of body.users) ids.add(userID)
  }
  return ids
}
