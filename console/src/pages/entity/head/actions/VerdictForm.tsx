import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { client } from '../../../../api/client.ts'
import { type VerdictGiven, VerdictInputs } from '../../../../parts/entity/VerdictInputs.tsx'
import { ErrorAlert } from '../../../../parts/feedback/ErrorAlert.tsx'
import { useSend } from '../../../../parts/form/useSend.ts'
import { dayField, endOfDay } from '../../../../parts/time/day.ts'
import { RelativeTime } from '../../../../parts/time/RelativeTime.tsx'
import { useCaller } from '../../../../session/caller.ts'
import type { Verdict } from '../../answers.ts'

const MAX_DAYS = 3_650
const DAY_MS = 86_400_000

type Props = { id: string; held: Verdict | null; close: () => void }

/** Gives, changes or takes back a verdict. `held`: the one that holds, which the fields begin with. */
export function VerdictForm({ id, held, close }: Props) {
  const params = { path: { entityId: id } }
  const heldDay = held?.until === undefined ? '' : dayField(held.until)
  const [given, setGiven] = useState<VerdictGiven>({
    verdict: held?.verdict ?? 'benign',
    reason: held?.reason ?? '',
  })
  const reason = given.reason.trim()
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
      body: { verdict: given.verdict, reason, ...(until === undefined ? {} : { until }) },
    })
  const takeBack = () => client.DELETE('/api/casework/v1/verdicts/{entityId}', { params })

  function submit(event: FormEvent): void {
    event.preventDefault()
    if (reason !== '') void decide(give)
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
        <VerdictInputs value={given} change={setGiven} />
        <TextInput
          type="date"
          label="Until the end of"
          description="a day in UTC; empty: until it is withdrawn"
          min={dayField(today)}
          max={dayField(today + (MAX_DAYS - 1) * DAY_MS)}
          value={day}
          onChange={(event) => setDay(event.currentTarget.value)}
        />
        {error !== null && <ErrorAlert error={error} />}
        <Group justify="end">
          {held !== null && (
            <Button variant="outline" color="red" disabled={sending} onClick={() => void decide(takeBack)}>
              Withdraw
            </Button>
          )}
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" disabled={reason === ''} loading={sending}>
            Decide
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
