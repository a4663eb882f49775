import { Button, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { client } from '../../../api/client.ts'
import { useRefresh } from '../../../api/refresh.ts'
import { Confirm } from '../../../parts/feedback/Confirm.tsx'
import { type ActionResult, resultText } from './letters.ts'

type Props = { ids: readonly string[]; decided?: () => void }

/** Puts letters back on their topics, or gives them up, after a question. */
export function LetterActions({ ids, decided }: Props) {
  const [asks, setAsks] = useState<'replay' | 'drop' | null>(null)
  const [note, setNote] = useState('')
  const [message, setMessage] = useState('')
  const refresh = useRefresh()
  const many = ids.length === 1 ? 'this letter' : `${ids.length} letters`
  async function done(word: string, handled: ActionResult): Promise<void> {
    setMessage(resultText(word, ids.length, handled))
    await refresh('/api/admin/v1/dead-letters', '/api/admin/v1/dead-letters/{id}', '/api/admin/v1/waiting')
    decided?.()
  }
  return (
    <>
      <Button size="xs" disabled={ids.length === 0} onClick={() => setAsks('replay')}>
        Replay{ids.length > 1 && ` ${ids.length}`}
      </Button>
      <Button size="xs" variant="default" disabled={ids.length === 0} onClick={() => setAsks('drop')}>
        Drop{ids.length > 1 && ` ${ids.length}`}
      </Button>
      <Text size="sm" role="status" data-testid="decided">
        {message}
      </Text>
      {asks === 'replay' && (
        <Confirm
          title={`Replay ${many}?`}
          action="Replay"
          harmful={false}
          close={() => setAsks(null)}
          run={async () => {
            const { data } = await client.POST('/api/admin/v1/dead-letters/replay', { body: { ids: [...ids] } })
            await done('replayed', data!)
          }}
        >
          The original records are written to their topics again. A record that still fails becomes a new dead letter. A
          second replay does no harm.
        </Confirm>
      )}
      {asks === 'drop' && (
        <Confirm
          title={`Drop ${many}?`}
          action="Drop"
          close={() => setAsks(null)}
          run={async () => {
            const body = { ids: [...ids], note: note.trim() }
            const { data } = await client.POST('/api/admin/v1/dead-letters/drop', { body })
            await done('dropped', data!)
          }}
        >
          <Stack gap="sm">
            Dropped letters are discarded. They stay readable until they are 30 days old.
            <TextInput
              label="Note"
              description="For operators who look at the letter later."
              value={note}
              onChange={(event) => setNote(event.currentTarget.value)}
              required
              maxLength={500}
            />
          </Stack>
        </Confirm>
      )}
    </>
  )
}
