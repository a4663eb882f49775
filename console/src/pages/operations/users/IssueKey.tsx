import { Button, Group, NumberInput, Stack, TextInput, Title } from '@mantine/core'
import { useState } from 'react'
import { api } from '../../../api/client.ts'
import { KeySecret } from '../../../parts/access/KeySecret.tsx'
import { ErrorAlert } from '../../../parts/feedback/ErrorAlert.tsx'
import { formatInstant } from '../../../parts/time/RelativeTime.tsx'

const MAX_DAYS = 3_650

/** Issues a key pair to a user, and shows its secret once. */
export function IssueKey({ userId }: { userId: string }) {
  const [name, setName] = useState('')
  const [days, setDays] = useState<number | string>(90)
  const issue = api.useMutation('post', '/auth/v2/admin/user/{id}/keypair', { gcTime: 0 })
  const ready = name.trim() !== '' && Number.isInteger(days)
  const pair = issue.data
  if (pair !== undefined) {
    const done = () => {
      setName('')
      issue.reset()
    }
    return <KeySecret pair={pair} expires={formatInstant(pair.expireAt * 1_000)} done={done} />
  }
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
