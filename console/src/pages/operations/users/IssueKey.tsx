import { Button, Group, NumberInput, Paper, Stack, Text, TextInput, Title } from '@mantine/core'
import { useState } from 'react'
import { api } from '../../../api/client.ts'
import { Copyable } from '../../../parts/copy/Copyable.tsx'
import { ErrorAlert } from '../../../parts/feedback/ErrorAlert.tsx'
import { Facts } from '../../../parts/tables/Facts.tsx'
import { formatInstant } from '../../../parts/time/RelativeTime.tsx'

const MAX_DAYS = 3_650

/** Issues a key pair to a user, and shows it for the one time that it can be shown. */
export function IssueKey({ userId }: { userId: string }) {
  const [name, setName] = useState('')
  const [days, setDays] = useState<number | string>(90)
  const issue = api.useMutation('post', '/auth/v2/admin/user/{id}/keypair', { gcTime: 0 })
  const ready = name.trim() !== '' && Number.isInteger(days)
  const pair = issue.data
  if (pair !== undefined)
    return (
      <Paper withBorder p="sm" role="status">
        <Stack gap="xs">
          <Title order={3} size="h5">
            Keep this secret now
          </Title>
          <Text size="sm">It is shown this once; nobody can show it again.</Text>
          <Facts
            label="New key pair"
            rows={[
              [
                'api-key',
                <span key="key" data-testid="new-key">
                  <Copyable value={pair.apiKey} what="the API key" />
                </span>,
              ],
              [
                'api-secret',
                <span key="secret" data-testid="new-secret">
                  <Copyable value={pair.apiSecret} what="the API secret" />
                </span>,
              ],
              ['Ends', formatInstant(pair.expireAt * 1_000)],
            ]}
          />
          <Button
            variant="default"
            size="xs"
            w="fit-content"
            onClick={() => {
              setName('')
              issue.reset()
            }}
          >
            It is handed over
          </Button>
        </Stack>
      </Paper>
    )
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        const init = { params: { path: { id: userId } }, body: { name: name.trim(), days: Number(days) } }
        if (ready && !issue.isPending) issue.mutate(init)
      }}
    >
      <Stack gap="xs">
        <Title order={3} size="h5">
          Issue a key pair
        </Title>
        <Group gap="sm" align="end">
          <TextInput
            label="Name of the key pair"
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            maxLength={100}
            autoComplete="off"
          />
          <NumberInput
            label="Days"
            value={days}
            onChange={setDays}
            min={1}
            max={MAX_DAYS}
            allowDecimal={false}
            w={110}
          />
          <Button type="submit" variant="default" disabled={!ready} loading={issue.isPending}>
            Issue
          </Button>
        </Group>
        {issue.error && <ErrorAlert error={issue.error} />}
      </Stack>
    </form>
  )
}
