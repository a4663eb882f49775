import { useComputedColorScheme } from '@mantine/core'
import { useMemo } from 'react'
import { DIRECTIONS, type Match, matchesOf } from '../../../parts/match/match.ts'
import { TimeChart } from '../../../parts/match/TimeChart.tsx'
import { timelineOf } from '../../../parts/match/time-buckets.ts'

/** The matches that were loaded, by the time at which they were matched, with their direction. */
export function MatchTimeline({ matches }: { matches: readonly Match[] }) {
  const dark = useComputedColorScheme('light') === 'dark'
  const timeline = useMemo(
    () =>
      timelineOf(
        DIRECTIONS,
        matches.map((match) => ({
          at: Date.parse(match.matchedAt),
          count: matchesOf(match),
          series: match.direction,
        })),
      ),
    [matches],
  )
  const looks = useMemo(
    () => [
      { series: 'forward' as const, name: 'forward', color: dark ? '#2da598' : '#0b6a61' },
      { series: 'retro' as const, name: 'retro', color: dark ? '#ffa94d' : '#d9480f', striped: true },
    ],
    [dark],
  )
  return <TimeChart title="Shown matches" what="matches" timeline={timeline} looks={looks} />
}
