import { Textarea } from '@mantine/core'
import { useState } from 'react'
import { client } from '../../../api/client.ts'
import { useRefresh } from '../../../api/refresh.ts'
import { ErrorAlert } from '../../../parts/feedback/ErrorAlert.tsx'
import { RecordForm } from '../../../parts/form/RecordForm.tsx'
import { useSend } from '../../../parts/form/useSend.ts'
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
  const { error, sending, send } = useSend()
  const refresh = useRefresh()

  async function store(): Promise<void> {
    const body = { name: name.trim(), description: description.trim() }
    const answer =
      list === undefined
        ? await client.POST('/api/casework/v1/watchlists', { body })
        : await client.PATCH('/api/casework/v1/watchlists/{id}', { params: { path: { id: list.id } }, body })
    await refresh('/api/casework/v1/watchlists', '/api/casework/v1/watchlists/{id}')
    done(answer.data!.id)
  }

  return (
    <RecordForm
      title={list === undefined ? 'New watchlist' : 'Change the watchlist'}
      name={name}
      setName={setName}
      problem={error !== null && <ErrorAlert error={error} />}
      verb={list === undefined ? 'Create' : 'Change'}
      sending={sending}
      submit={() => void send(store)}
      cancel={() => done(null)}
    >
      <Textarea
        label="Description"
        autosize
        maxRows={6}
        maxLength={5_000}
        value={description}
        onChange={(event) => setDescription(event.currentTarget.value)}
      />
    </RecordForm>
  )
}
