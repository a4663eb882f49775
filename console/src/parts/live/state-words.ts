import type { Problem } from '../../api/problem.ts'
import type { LiveState } from './useLive.ts'

type StateWords = { sign: string; text: string }

/** What the state of a stream means to its reader, and what to do. */
export function stateWords({ state, problem }: { state: LiveState; problem: Problem | null }): StateWords {
  if (state === 'connecting') return { sign: '…', text: 'Connecting' }
  if (state === 'behind') return { sign: '◔', text: 'Connected, catching up' }
  if (state === 'live') return { sign: '●', text: 'Connected, up to date' }
  if (state === 'paused') return { sign: '⏸', text: 'Paused; it continues from here' }
  if (state === 'waiting') return { sign: '↻', text: `Connection lost${reason(problem)}; trying again` }
  if (state === 'refused')
    return {
      sign: '✗',
      text: 'Another live stream of yours is open, and your limit is used up. Close it in the other tab; trying again',
    }
  return { sign: '✗', text: `Stopped${reason(problem)}. Turn Live off and on to try again` }
}

const reason = (problem: Problem | null): string => (problem === null ? '' : `: ${problem.message}`)
