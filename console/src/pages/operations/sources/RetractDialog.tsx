import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { ErrorAlert } from '../../../parts/feedback/ErrorAlert.tsx'
import { formatCount } from '../../../parts/format/numbers.ts'
import { HeldFeeds } from './HeldFeeds.tsx'
import { type Asked, type Counts, retract } from './retract.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const MAX_REASON = 500

/** A moment as a field of the browser has it, in the time of the viewer. */
const fieldOf = (ms: number): string => {
  const at = new Date(ms)
  return new Date(ms - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 19)
}

/** In which time zone the fields are: that of the browser. */
const zone = `in the time of your browser, ${Intl.DateTimeFormat().resolvedOptions().timeZone}`

type Done = { preview: boolean; counts: Counts }

/** Takes back what a feed reported in a window, once it was shown how much that is. */
export function RetractDialog({ feed, close }: { feed: string; close: () => void }) {
  const [from, setFrom] = useState(() => fieldOf(Date.now() - DAY_MS))
  const [to, setTo] = useState('')
  const [reason, setReason] = useState('')
  const [running, setRunning] = useState<'preview' | 'retract' | null>(null)
  const [done, setDone] = useState<Done | null>(null)
  const [previewed, setPreviewed] = useState<Asked | null>(null)
  const [error, setError] = useState<unknown>(null)
  const stop = useRef(new AbortController())
  const queries = useQueryClient()
  useEffect(() => {
    const { current } = stop
    return () => current.abort()
  }, [])

  async function run(asked: Asked): Promise<void> {
    const { preview } = asked
    setError(null)
    setDone(null)
    setRunning(preview ? 'preview' : 'retract')
    try {
      const whole = await retract(asked, (counts) => setDone({ preview, counts }), stop.current.signal)
      setPreviewed(preview ? whole : null)
      if (!preview) await queries.invalidateQueries()
    } catch (refused) {
      setError(refused)
    } finally {
      setRunning(null)
    }
  }

  const given = (): Asked => ({
    feed,
    from: new Date(from).toISOString(),
    preview: true,
    ...(to === '' ? {} : { to: new Date(to).toISOString() }),
    ...(reason.trim() === '' ? {} : { reason: reason.trim() }),
  })

  const change = (set: (to: string) => void) => (event: { currentTarget: { value: string } }) => {
    set(event.currentTarget.value)
    setDone(null)
    setPreviewed(null)
  }
  const isSeen = previewed !== null && running === null && done !== null && done.counts.retracted > 0
  return (
    <Modal opened onClose={close} title={`Retract reports of ${feed}`} closeButtonProps={{ 'aria-label': 'Close' }}>
      <Stack gap="sm">
        <Text size="sm">
          What the feed reported in this window no longer counts: scores, tags and attributes become what they would be
          without it. History keeps the reports and shows that they were retracted. There is no way to undo it: only a
          new import of the feed brings its reports back.
        </Text>
        <Text size="sm">
          Published feeds follow within seconds. If a feed would lose more than its guard allows, it is held and keeps
          the retracted entities until it is released on the page Feeds.
        </Text>
        <TextInput
          type="datetime-local"
          step={1}
          label="From"
          description={zone}
          required
          value={from}
          onChange={change(setFrom)}
        />
        <TextInput
          type="datetime-local"
          step={1}
          label="To"
          description={`${zone}; empty: now`}
          value={to}
          onChange={change(setTo)}
        />
        <TextInput label="Reason" maxLength={MAX_REASON} value={reason} onChange={change(setReason)} />
        {done !== null && <Counted {...done} running={running !== null} />}
        {done !== null && !done.preview && running === null && <HeldFeeds />}
        {error !== null && <ErrorAlert error={error} />}
        <Group justify="end">
          <Button variant="default" onClick={close}>
            Close
          </Button>
          <Button
            variant="outline"
            disabled={from === '' || running !== null}
            loading={running === 'preview'}
            onClick={() => void run(given())}
          >
            Preview
          </Button>
          <Button
            color="red.9"
            disabled={!isSeen}
            loading={running === 'retract'}
            onClick={() => void run({ ...previewed!, preview: false })}
          >
            Retract
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}

/** Entities are counted once for each audience that was told of them. */
function Counted({ preview, counts, running }: Done & { running: boolean }) {
  const { found, retracted, refused, before, changed, left } = counts
  const what = preview ? 'would be retracted' : 'retracted'
  return (
    <Text size="sm" role="status">
      {formatCount(found)} reported entities found{running && ' so far'}: {formatCount(retracted)} {what},{' '}
      {formatCount(before)} retracted before{preview ? '.' : `; ${formatCount(changed)} scores changed.`}
      {refused > 0 && ` ${formatCount(refused)} were refused and changed nothing: see the dead letters.`}
      {left > 0 && ` ${formatCount(left)} were reported again during the retraction: retract once more.`}
    </Text>
  )
}
