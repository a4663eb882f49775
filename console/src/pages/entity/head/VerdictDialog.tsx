import { Button, Group, Modal, SegmentedControl, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, client } from '../../../api/client.ts'
import { asProblem } from '../../../api/problem.ts'
import { ErrorAlert } from '../../../parts/feedback/ErrorAlert.tsx'
import { RelativeTime } from '../../../parts/time/RelativeTime.tsx'
import type { ActionProps } from './action-props.ts'

type Word = 'benign' | 'malicious'

const MAX_REASON = 2_000

/** Decides what every member of the customer is shown of the entity, or takes that back. */
export function VerdictDialog({ entity, close }: ActionProps) {
  const path = { params: { path: { entityId: entity.id } } }
  const held = api.useQuery('get', '/api/casework/v1/verdicts/{entityId}', path, { retry: false })
  const none = held.error !== null && asProblem(held.error).status === 404
  const [verdict, setVerdict] = useState<Word>('benign')
  const [reason, setReason] = useState('')
  const [until, setUntil] = useState('')
  const [error, setError] = useState<unknown>(null)
  const [sending, setSending] = useState(false)
  const queries = useQueryClient()

  async function send(work: () => Promise<unknown>): Promise<void> {
    setError(null)
    setSending(true)
    try {
      await work()
      await queries.invalidateQueries({ predicate: ({ queryKey }) => JSON.stringify(queryKey).includes(entity.id) })
      close()
    } catch (refused) {
      setError(refused)
    } finally {
      setSending(false)
    }
  }

  const give = () =>
    client.PUT('/api/casework/v1/verdicts/{entityId}', {
      ...path,
      body: { verdict, reason, ...(until === '' ? {} : { until: `${until}T00:00:00Z` }) },
    })
  const takeBack = () => client.DELETE('/api/casework/v1/verdicts/{entityId}', path)

  return (
    <Modal opened onClose={close} title="Verdict of your team" closeButtonProps={{ 'aria-label': 'Close' }}>
      <Stack gap="sm">
        <Text size="sm">
          A verdict decides what every member of your team is shown of this entity, whatever feeds say. Nobody else sees
          it. It empties or fills your feeds within seconds.
        </Text>
        {held.data && (
          <Text size="sm" data-testid="verdict">
            Now <b>{held.data.verdict}</b>, <RelativeTime at={held.data.at} />: {held.data.reason}
          </Text>
        )}
        <SegmentedControl
          aria-label="Verdict"
          value={verdict}
          onChange={(to) => setVerdict(to as Word)}
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
          onChange={(event) => setReason(event.currentTarget.value)}
        />
        <TextInput
          type="date"
          label="Until"
          description="empty: until it is taken back"
          value={until}
          onChange={(event) => setUntil(event.currentTarget.value)}
        />
        {held.error !== null && !none && <ErrorAlert error={held.error} />}
        {error !== null && <ErrorAlert error={error} />}
        <Group justify="end">
          {held.data && (
            <Button variant="outline" color="red" disabled={sending} onClick={() => void send(takeBack)}>
              Take back
            </Button>
          )}
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button disabled={reason.trim() === ''} loading={sending} onClick={() => void send(give)}>
            Decide
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
