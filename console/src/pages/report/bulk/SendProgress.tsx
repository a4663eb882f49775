import { Alert, Button, Group, Progress, SegmentedControl, Stack, Text } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { csv, download } from '../../../parts/format/csv.ts'
import { formatDuration } from '../../../parts/time/duration.ts'
import { useNow } from '../../../parts/time/useNow.ts'
import { LineTable } from './LineTable.tsx'
import type { InputLine } from './read.ts'
import type { LineBody, LineOutcome, Sender, SendPhase } from './sender.ts'
import { useProgress } from './useProgress.ts'

type Props = { rows: readonly InputLine[]; jobs: readonly LineBody[]; sender: Sender; again: () => void }

const WORDS: Record<SendPhase, string> = {
  ready: 'Not started',
  sending: 'Sending',
  paused: 'Paused',
  cancelled: 'Cancelled',
  done: 'Done',
}

/** The progress of all lines, with buttons to pause, continue and cancel. */
export function SendProgress({ rows, jobs, sender, again }: Props) {
  const { phase, outcomes, counts, heldUntil, stopped } = useProgress(sender)
  const [only, setOnly] = useState<string>('all')
  const running = phase === 'sending' || phase === 'paused'
  useEffect(() => {
    if (!running) return
    const confirmLeave = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', confirmLeave)
    return () => window.removeEventListener('beforeunload', confirmLeave)
  }, [running])
  // Leaving the page cancels what was not sent, because no page would show its progress.
  useEffect(() => {
    sender.start()
    return sender.pause
  }, [sender])
  const ended = rows.length - counts.waiting
  const countsText = `${counts.accepted.toLocaleString('en')} accepted, ${counts.refused.toLocaleString('en')} refused, ${counts.waiting.toLocaleString('en')} not sent`
  return (
    <Stack gap="md">
      <Progress.Root size="lg">
        <Progress.Section
          value={(ended / rows.length) * 100}
          aria-label="Processed lines"
          aria-valuetext={countsText}
        />
      </Progress.Root>
      <Text size="sm" role="status" data-testid="progress">
        {WORDS[phase]}: {countsText}.
      </Text>
      {phase === 'sending' && heldUntil !== null && <RateLimitNotice until={heldUntil} />}
      {stopped !== null && phase === 'paused' && (
        <Alert color="yellow" variant="light" title="Paused: the platform cannot accept more reports now" role="alert">
          {stopped}. Lines that were not sent stay here. Resume when the platform is available again.
        </Alert>
      )}
      <Group gap="sm">
        {phase === 'sending' && <Button onClick={sender.pause}>Pause</Button>}
        {phase === 'paused' && <Button onClick={sender.start}>Resume</Button>}
        {running && (
          <Button variant="default" onClick={sender.cancel}>
            Cancel
          </Button>
        )}
        {!running && <Button onClick={again}>Use other lines</Button>}
        <Button
          variant="default"
          disabled={counts.refused === 0}
          leftSection={<IconDownload size={16} aria-hidden />}
          onClick={() => download('refused.csv', refusedCsv(rows, outcomes))}
        >
          Refused lines as CSV
        </Button>
      </Group>
      <SegmentedControl
        aria-label="Which lines"
        w="fit-content"
        maw="100%"
        value={only}
        onChange={setOnly}
        data={[
          { value: 'all', label: 'All' },
          { value: 'accepted', label: 'Accepted' },
          { value: 'refused', label: 'Refused' },
          { value: 'waiting', label: 'Not sent' },
        ]}
      />
      <LineTable
        key={only}
        rows={rows}
        jobs={jobs}
        outcomes={outcomes}
        only={only === 'all' ? null : (only as LineOutcome['state'])}
      />
    </Stack>
  )
}

function RateLimitNotice({ until }: { until: number }) {
  const now = useNow()
  return (
    <Text size="sm" role="status">
      The limit of your plan is reached. Sending resumes automatically in {formatDuration(until - now)}.
    </Text>
  )
}

const refusedCsv = (rows: readonly InputLine[], outcomes: readonly LineOutcome[]): string =>
  csv(
    ['line', 'given', 'reason'],
    rows.flatMap((row, index) => {
      const outcome = outcomes[index]!
      return outcome.state === 'refused' ? [[row.line, row.text, outcome.reason]] : []
    }),
  )
