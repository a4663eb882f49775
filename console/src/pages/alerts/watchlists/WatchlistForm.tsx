import { Button, Group, Paper, Stack, Textarea, TextInput, Title } from '@mantine/core'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { client } from '../../../api/client.ts'
import { useRefresh } from '../../../api/refresh.ts'
import { ErrorAlert } from '../../../parts/feedback/ErrorAlert.tsx'
import type { Watchlist } from '../../../parts/watch/watchlists.ts'

type Props = {
  /** The watchlist that is changed; absent: a new one. */
  list?: Pick<Watchlist, 'id' | 'name' | 'description'>
  /** With the id of the watchlist; null: nothing was done. */
  done: (id: string | null) => void
}

/** The name and the description of a watchlist. */
export function WatchlistForm({ list, done }: Props) {
  const [name, setName] = useState(list?.name ?? '')
  const [description, setDescription] = useState(list?.description ?? '')
  const [error, setError] = useState<unknown>(null)
  const [sending, setSending] = useState(false)
  const first = useRef<HTMLInputElement>(null)
  const refresh = useRefresh()
  useEffect(() => first.current?.focus(), [])

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault()
    if (sending) return
    setError(null)
    setSending(true)
    const body = { name: name.trim(), description: description.trim() }
    try {
      const answer =
        list === undefined
          ? await client.POST('/api/casework/v1/watchlists', { body })
          : await client.PATCH('/api/casework/v1/watchlists/{id}', { params: { path: { id: list.id } }, body })
      await refresh('/api/casework/v1/watchlists', '/api/casework/v1/watchlists/{id}')
      done(answer.data!.id)
    } catch (refused) {
      setError(refused)
    } finally {
      setSending(false)
    }
  }

  return (
    <Paper withBorder p="md">
      <form onSubmit={(event) => void submit(event)}>
        <Stack gap="sm">
          <Title order={2} size="h4">
            {list === undefined ? 'New watchlist' : 'Change the watchlist'}
          </Title>
          <TextInput
            ref={first}
            label="Name"
            required
            maxLength={200}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <Textarea
            label="Description"
            autosize
            maxRows={6}
            maxLength={5_000}
            value={description}
            onChange={(event) => setDescription(event.currentTarget.value)}
          />
          {error !== null && <ErrorAlert error={error} />}
          <Group gap="sm">
            <Button type="submit" loading={sending} disabled={name.trim() === ''}>
              {list === undefined ? 'Make it' : 'Change'}
            </Button>
            <Button variant="default" onClick={() => done(null)}>
              Cancel
            </Button>
          </Group>
        </Stack>
      </form>
    </Paper>
  )
}
