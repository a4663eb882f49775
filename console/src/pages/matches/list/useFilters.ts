import { DIRECTIONS } from '../../../parts/match/match.ts'
import { choice } from '../../../parts/page/choice.ts'
import { useParameter } from '../../../parts/page/useParameter.ts'

export const ANY = 'any'
export const VIEWS = ['list', 'hosts', 'indicators'] as const

const HOUR_MS = 3_600_000

/** Periods by their names in the address, in milliseconds. */
export const PERIODS = {
  any: { label: 'any time', ms: null },
  hour: { label: 'last hour', ms: HOUR_MS },
  day: { label: 'last day', ms: 24 * HOUR_MS },
  week: { label: 'last 7 days', ms: 7 * 24 * HOUR_MS },
  month: { label: 'last 30 days', ms: 30 * 24 * HOUR_MS },
} as const
export type Period = keyof typeof PERIODS
export const PERIOD_NAMES = Object.keys(PERIODS) as Period[]

const HIDDEN = 'hidden'

/** What the address says: `?direction=&entity=&since=&withdrawn=hidden&view=`. */
export function useFilters() {
  const [directionText, setDirection] = useParameter('direction')
  const [entityText, setEntity] = useParameter('entity')
  const [sinceText, setSince] = useParameter('since')
  const [withdrawnText, setWithdrawn] = useParameter('withdrawn')
  const [viewText, setView] = useParameter('view')
  const direction = choice([ANY, ...DIRECTIONS], directionText, ANY)
  const entity = entityText === null || entityText.trim() === '' ? null : entityText.trim()
  const since = choice(PERIOD_NAMES, sinceText, 'any')
  return {
    direction: direction === ANY ? null : direction,
    entity,
    since,
    withdrawn: withdrawnText !== HIDDEN,
    view: choice(VIEWS, viewText, 'list'),
    /** Whether anything is asked for that leaves matches out. */
    narrowed: direction !== ANY || entity !== null || since !== 'any' || withdrawnText === HIDDEN,
    setDirection: (to: string) => setDirection(to === ANY ? '' : to),
    setEntity: (to: string) => setEntity(to.trim()),
    setSince: (to: string) => setSince(to === 'any' ? '' : to),
    setWithdrawn: (shown: boolean) => setWithdrawn(shown ? '' : HIDDEN),
    setView: (to: string) => setView(to === 'list' ? '' : to),
  }
}

export type Filters = ReturnType<typeof useFilters>
