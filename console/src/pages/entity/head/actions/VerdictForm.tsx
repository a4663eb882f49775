import { Button, Group, SegmentedControl, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { client } from '../../../../api/client.ts'
import { ErrorAlert } from '../../../../parts/feedback/ErrorAlert.tsx'
import { useSend } from '../../../../parts/form/useSend.ts'
import { dayField, endOfDay } from '../../../../parts/time/day.ts'
import { RelativeTime } from '../../../../parts/time/RelativeTime.tsx'
import { useCaller } from '../../../../session/caller.ts'
import type { Verdict } from '../../answers.ts'

const MAX_REASON = 2_000
const MAX_DAYS = 3_650
const DAY_MS = 86_400_000

type Props = { id: string; held: Verdict | null; close: () => void }

/** Gives, changes or takes back a verdict. `held`: the one that holds, which the fields begin with. */
export function VerdictForm({ id, held, close }: Props) {
  const params = { path: { entityId: id } }
  const heldDay = held?.until === undefined ? '' : dayField(held.until)
  const [verdict, setVerdict] = useState<Verdict['verdict']>(held?.verdict ?? 'benign')
  const [reason, setReason] = useState(held?.reason ?? '')
  const [day, setDay] = useState(heldDay)
  const { error, sending, send } = useSend()
  const [today] = useState(() => Date.now())
  const me = useCaller()?.userID
  const queries = useQueryClient()

  const decide = (work: () => Promise<unknown>): Promise<void> =>
    send(async () => {
      await work()
      await queries.invalidateQueries({ predicate: ({ queryKey }) => JSON.stringify(queryKey).includes(id) })
      close()
    })

  /** An end that nobody touched stays to the second. */
  const until = day === heldDay ? held?.until : day === '' ? undefined : endOfDay(day)
  const give = () =>
    client.PUT('/api/casework/v1/verdicts/{entityId}', {
      params,
      body: { verdict, reason: reason.trim(), ...(until === undefined ? {} : { until }) },
    })
  const takeBack = () => client.DELETE('/api/casework/v1/verdicts/{entityId}', { params })

  function submit(event: FormEvent): void {
    event.preventDefault()
    if (reason.trim() !== '') void decide(give)
  }

  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        {held !== null && (
          <Text size="sm" data-testid="verdict" style={{ overflowWrap: 'anywhere' }}>
            Now <b>{held.verdict}</b>, given {held.userID === me ? 'by you' : 'by a colleague'}{' '}
            <RelativeTime at={held.at} />: {held.reason}
          </Text>
        )}
        <SegmentedControl
          aria-label="Verdict"
          value={verdict}
          onChange={(to) => setVerdict(to as Verdict['verdict'])}
          data={[
            { value: 'benign', label: 'Benign' },
            { value: 'malicious', label: 'Malicious' },
          ]}
        />
        <Textarea
          label="Reason"
          required
          autosize
          maxLength={MAX_REASON}
          value={reason}
          // A reason is one line: a pasted one becomes that.
          onChange={(event) => setReason(event.currentTarget.value.replace(/[\p{Cc}]+/gu, ' '))}
        />
        <TextInput
          type="date"
          label="Until the end of"
          description="a day in UTC; empty: until it is taken back"
          min={dayField(today)}
          max={dayField(today + (MAX_DAYS - 1) * DAY_MS)}
          value={day}
          onChange={(event) => setDay(event.currentTarget.value)}
        />
        {error !== null && <ErrorAlert error={error} />}
        <Group justify="end">
          {held !== null && (
            <Button variant="outline" color="red" disabled={sending} onClick={() => void decide(takeBack)}>
              Take back
            </Button>
          )}
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" disabled={reason.trim() === ''} loading={sending}>
            Decide
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
