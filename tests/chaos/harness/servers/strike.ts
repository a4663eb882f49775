import { eventually, startPlatform } from '../../../builders/platform/platform.ts'
import type { Stage } from '../stage.ts'
import { childrenOf, processOf, type Victim } from './processes.ts'

/** `platform`: the main process, which is the API, and all that it has started. */
export type Struck = Victim | 'platform'

const FOUND_MS = 60_000

/** Kills a part of a platform; a main process is started again at once. */
export async function strike(stage: Stage, victim: Struck): Promise<void> {
  if (victim === 'main' || victim === 'platform') {
    const children = victim === 'platform' ? childrenOf(stage.platform.pid) : []
    const dead = stage.platform.kill()
    for (const child of children) process.kill(child, 'SIGKILL')
    await dead
    stage.platform = await startPlatform(stage.dataDir, stage.env)
    return
  }
  const pid = await eventually(
    async () => processOf(victim, stage.platform.pid),
    (found) => found !== undefined,
    FOUND_MS,
  )
  process.kill(pid!, 'SIGKILL')
}
