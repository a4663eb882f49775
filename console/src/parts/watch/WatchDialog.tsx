import { Anchor, Button, Group, Modal, NativeSelect, Radio, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'wouter'
import { client } from '../../api/client.ts'
import { useRefresh } from '../../api/refresh.ts'
import { ErrorAlert } from '../feedback/ErrorAlert.tsx'
import { QueryResult } from '../feedback/QueryResult.tsx'
import { useSend } from '../form/useSend.ts'
import { ANY_REPUTATION, REPUTATIONS } from './reputations.ts'
import type { Suggestion } from './suggest.ts'
import { useWatchlists } from './useWatchlists.ts'
import type { Watchlist } from './watchlists.ts'

const NEW = 'new'

type Props = { suggestions: readonly Suggestion[]; close: () => void }

/** Chooses what is watched, and the watchlist, which may be made here. */
export default function WatchDialog({ suggestions, close }: Props) {
  const watchlists = useWatchlists()
  return (
    <Modal opened onClose={close} title="Watch" closeButtonProps={{ 'aria-label': 'Close' }}>
      <QueryResult of={watchlists}>
        {(lists) => <WatchForm suggestions={suggestions} lists={lists} close={close} />}
      </QueryResult>
    </Modal>
  )
}

function WatchForm({ suggestions, lists, close }: Props & { lists: readonly Watchlist[] }) {
  const [chosen, setChosen] = useState('0')
  const [list, setList] = useState(lists[0]?.id ?? NEW)
  const [name, setName] = useState(lists.length === 0 ? 'My watchlist' : '')
  const [reputation, setReputation] = useState(ANY_REPUTATION)
  const { error, sending, send } = useSend()
  /** The name of the list that the item is on now; `there`: it was before. */
  const [done, setDone] = useState<{ name: string; there: boolean; enabled: boolean } | null>(null)
  const refresh = useRefresh()
  const ready = list !== NEW || name.trim() !== ''

  /** The list that was made stays chosen, so that another try makes no second one. */
  async function target(): Promise<Pick<Watchlist, 'id' | 'name' | 'enabled'>> {
    const known = lists.find(({ id }) => id === list)
    if (known !== undefined) return known
    const made = (await client.POST('/api/casework/v1/watchlists', { body: { name: name.trim() } })).data!
    await refresh('/api/casework/v1/watchlists')
    setList(made.id)
    return made
  }

  async function watch(): Promise<void> {
    const { kind, value } = suggestions[Number(chosen)]!
    const on = await target()
    const body = { kind, value, ...(reputation === ANY_REPUTATION ? {} : { max_reputation: Number(reputation) }) }
    const path = '/api/casework/v1/watchlists/{id}/items'
    const { response } = await client.POST(path, { params: { path: { id: on.id } }, body })
    setDone({ name: on.name, there: response.status === 200, enabled: on.enabled })
    await refresh('/api/casework/v1/watchlists', path)
  }

  if (done !== null)
    return (
      <Stack>
        <Text size="sm" role="status" data-testid="watched">
          {done.there ? 'It was already on the watchlist: ' : 'It was added to the watchlist: '}
          <b style={{ overflowWrap: 'anywhere' }}>{done.name}</b>.{' '}
          {done.enabled
            ? 'You get an alert when a change brings it in.'
            : 'The watchlist is disabled: enable it to get alerts.'}{' '}
          <Anchor component={Link} href="/alerts/watchlists" inherit underline="always" onClick={close}>
            See your watchlists
          </Anchor>
        </Text>
        <Group justify="end">
          <Button variant="default" onClick={close}>
            Close
          </Button>
        </Group>
      </Stack>
    )
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (ready) void send(watch)
      }}
    >
      <Stack>
        <Radio.Group label="What" value={chosen} onChange={setChosen}>
          <Stack gap="xs" mt={4}>
            {suggestions.map(({ kind, value, label }, place) => (
              <Radio
                key={`${kind} ${value}`}
                value={String(place)}
                label={label}
                styles={{ label: { overflowWrap: 'anywhere' }, labelWrapper: { minWidth: 0 } }}
              />
            ))}
          </Stack>
        </Radio.Group>
        <NativeSelect
          label="Only when its reputation is"
          value={reputation}
          onChange={(event) => setReputation(event.currentTarget.value)}
          data={[...REPUTATIONS]}
        />
        <NativeSelect
          label="Watchlist"
          value={list}
          onChange={(event) => setList(event.currentTarget.value)}
          data={[
            ...lists.map(({ id, name: called, enabled }) => ({
              value: id,
              label: enabled ? called : `${called} (disabled)`,
            })),
            { value: NEW, label: 'A new watchlist' },
          ]}
        />
        {list === NEW && (
          <TextInput
            label="Name of the new watchlist"
            maxLength={200}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
        )}
        {error !== null && <ErrorAlert error={error} />}
        <Group justify="end">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" disabled={!ready} loading={sending}>
            Watch
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
