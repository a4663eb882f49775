import { Button, Group, Text } from '@mantine/core'
import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react'
import { asProblem } from '../../api/problem.ts'
import classes from './triage.module.css'

type Props = {
  /** The new items that wait to be shown, in words. */
  news: string | null
  bringIn: () => void
  paused: boolean
  pause: () => void
  /** Unix milliseconds of the last answer. */
  at: number
  error: unknown
  /** Whether changes are told as they happen. */
  follows: boolean
}

const CLOCK = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' })

/** The bar with the state of the feed. It stays in sight and keeps its height. */
export function FeedBar({ news, bringIn, paused, pause, at, error, follows }: Props) {
  return (
    <Group className={classes.bar} justify="space-between" gap="xs" wrap="nowrap">
      <Group gap="xs" wrap="nowrap" miw={0}>
        {news !== null && (
          <Button size="compact-sm" onClick={bringIn} data-testid="news">
            Show {news}
          </Button>
        )}
        <Text size="xs" c="dimmed" truncate data-testid="state">
          {stateText({ paused, at, error, follows })}
        </Text>
        <span role="status" className={classes.unseen}>
          {news}
        </span>
      </Group>
      <Button
        size="compact-sm"
        variant="default"
        flex="none"
        aria-pressed={paused}
        onClick={pause}
        leftSection={paused ? <IconPlayerPlay size={14} aria-hidden /> : <IconPlayerPause size={14} aria-hidden />}
      >
        {paused ? 'Resume' : 'Pause'}
      </Button>
    </Group>
  )
}

function stateText({ paused, at, error, follows }: Pick<Props, 'paused' | 'at' | 'error' | 'follows'>): string {
  const time = at === 0 ? null : CLOCK.format(at)
  if (paused) return `Paused${time ? ` at ${time}` : ''}`
  if (error && time) return `As of ${time}: ${asProblem(error).message}; trying again`
  if (time === null) return ''
  return follows ? `As of ${time}, and live since` : `As of ${time}, every 10 s`
}
