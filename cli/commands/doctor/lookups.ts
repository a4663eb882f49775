import type { LookupIndexStatus } from '../../../connectors/lookups/index/status.ts'
import { type Check, type Finding, ok, warn } from './finding.ts'

const SLOW = 'look-ups are answered by the store, which is slower'

function foundOf({ state, values, behindSeconds, reason }: LookupIndexStatus): Omit<Finding, 'check'> {
  if (state === 'off') return ok('switched off; the store answers')
  if (state === 'unasked') return ok('nobody has asked for a reputation yet; the first question has the index built')
  if (state === 'current') return ok(`current, ${values} values`)
  if (state === 'building') return warn(`it is being built; ${SLOW}`, 'wait; without a running platform start one')
  if (state === 'refused')
    return warn(
      `${reason}; ${SLOW}`,
      "raise HARRIER_LOOKUP_INDEX_MB, then restart or run 'harrier lookup-index rebuild'",
    )
  return warn(`${Math.round(behindSeconds ?? 0)} s behind the log; ${SLOW}`, '/help/operate/runbooks/lag/')
}

/** Reports how the index of look-ups of this host stands. */
export const lookupIndexCheck = (status: () => Promise<LookupIndexStatus>): Check => ({
  name: 'look-up index',
  todo: "run 'harrier lookup-index rebuild'",
  run: async () => [foundOf(await status())],
})
