import { expect, test } from 'vitest'
import { differences, NO_DIFFERENCES } from '../../../builders/history/stored.ts'
import { storedIn } from '../../../builders/history/stored-tables.ts'
import { changesIn, comparePublished, TOLD_RIGHT } from '../../../builders/intelligence/changes.ts'
import { observationsOf, replayed } from '../../../builders/intelligence/replay/replay.ts'
import { defaultRules, logOf, withHistory } from '../../../builders/platform/data-folder.ts'
import { lag } from '../../../builders/platform/lag.ts'
import { eventually } from '../../../builders/platform/platform.ts'
import type { Shared } from '../../../builders/platform/shared.ts'
import { LISTED } from './fading.ts'

/** The log of a platform and its tables; it is stopped. */
export function toldAgain(shared: Shared): void {
  test('counters equal a recount, and a replay of the log gives the same tables and changes', async () => {
    await eventually(
      () => lag(shared.platform.url),
      (left) => left === 0,
    )
    expect(await shared.platform.stop()).toBe(0)
    const log = await logOf(shared.folder)
    const observations = await observationsOf(log)
    const changes = await changesIn(log)
    await log.close()
    const kinds = observations.map(({ observation: o }) => o.kind)
    expect(kinds.filter((kind) => kind === 'retraction')).toHaveLength(LISTED)
    expect(kinds.filter((kind) => kind === 'covered').length).toBeGreaterThan(5)
    const actual = await withHistory(shared.folder, storedIn)
    expect(differences(replayed(observations, defaultRules()), actual)).toEqual(NO_DIFFERENCES)
    expect(comparePublished(observations, defaultRules(), changes)).toEqual(TOLD_RIGHT)
  })
}
