import { Alert, Button, Group, Stack, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { api, client } from '../../../api/client.ts'
import { asProblem } from '../../../api/problem.ts'
import { useRefresh } from '../../../api/refresh.ts'
import { Copyable } from '../../../parts/copy/Copyable.tsx'
import { Confirm } from '../../../parts/feedback/Confirm.tsx'
import { EmptyState } from '../../../parts/feedback/EmptyState.tsx'
import { QueryResult } from '../../../parts/feedback/QueryResult.tsx'
import { Facts } from '../../../parts/tables/Facts.tsx'
import { RelativeTime } from '../../../parts/time/RelativeTime.tsx'
import { useWatchlists } from '../../../parts/watch/useWatchlists.ts'
import { ConfirmAddress } from './ConfirmAddress.tsx'
import { Deliveries } from './Deliveries.tsx'
import { DestinationForm } from './DestinationForm.tsx'
import { type Destination, DIGESTS, isUnconfirmed, KINDS } from './destination-form.ts'
import { SendTest } from './SendTest.tsx'

type Props = {
  id: string
  /** A secret that was just made; it is shown once. */
  secret: string | null
  setSecret: (secret: string | null) => void
  close: () => void
}

/** One destination: what it is, a test, and what was sent to it. */
export function DestinationDetail(props: Props) {
  const answer = api.useQuery('get', '/api/alerts/v1/destinations/{id}', { params: { path: { id: props.id } } })
  const status = answer.error === null ? null : asProblem(answer.error).status
  if (answer.data === undefined && (status === 404 || status === 400))
    return (
      <EmptyState title="You have no destination with this id">
        <Button size="compact-sm" variant="default" onClick={props.close}>
          See all destinations
        </Button>
      </EmptyState>
    )
  return <QueryResult of={answer}>{(destination) => <Content {...props} destination={destination} />}</QueryResult>
}

function Content({ destination, secret, setSecret, close }: Props & { destination: Destination }) {
  const [asking, setAsking] = useState<'change' | 'secret' | 'delete' | null>(null)
  const refresh = useRefresh()
  const watchlists = useWatchlists()
  const params = { path: { id: destination.id } }
  const named = destination.watchlists?.map(
    (id) => watchlists.data?.find((one) => one.id === id)?.name ?? 'a deleted watchlist',
  )

  async function renewSecret(): Promise<void> {
    const { data } = await client.POST('/api/alerts/v1/destinations/{id}/secret', { params, body: {} })
    setSecret(data!.secret)
  }

  async function remove(): Promise<void> {
    await client.DELETE('/api/alerts/v1/destinations/{id}', { params })
    close()
    await refresh('/api/alerts/v1/destinations')
  }

  return (
    <Stack gap="md">
      <Group justify="space-between" gap="sm">
        <Title order={2} size="h4" style={{ overflowWrap: 'anywhere' }}>
          {destination.name}
        </Title>
        <Button size="compact-sm" variant="default" onClick={close}>
          All destinations
        </Button>
      </Group>
      {secret !== null && (
        <Alert color="yellow" variant="light" title="Copy this secret now" role="status" data-testid="secret">
          <Text size="sm">
            Everything that is sent to this destination is signed with the secret, so that the receiver can verify it.
            The secret is shown only once.
          </Text>
          <Copyable value={secret} what="the secret of the destination" />
        </Alert>
      )}
      {isUnconfirmed(destination) && <ConfirmAddress destination={destination} />}
      {asking === 'change' ? (
        <DestinationForm destination={destination} done={() => setAsking(null)} />
      ) : (
        <>
          <Facts
            label="The destination"
            rows={[
              ['Kind', KINDS[destination.kind].label],
              [KINDS[destination.kind].address, destination.url ?? destination.email],
              ['Watchlists', named?.join(', ') ?? 'all'],
              ['When', DIGESTS[destination.digest]],
              ['Public only', destination.publicOnly ? 'yes' : 'no'],
              ['Made', <RelativeTime key="made" at={destination.createdAt} />],
            ]}
          />
          <Group gap="sm" align="start">
            <SendTest id={destination.id} disabled={isUnconfirmed(destination)} />
            <Button size="xs" variant="default" onClick={() => setAsking('change')}>
              Change
            </Button>
            <Button size="xs" variant="default" onClick={() => setAsking('secret')}>
              New secret …
            </Button>
            <Button size="xs" variant="outline" color="red" onClick={() => setAsking('delete')}>
              Delete …
            </Button>
          </Group>
        </>
      )}
      <Deliveries id={destination.id} />
      {asking === 'secret' && (
        <Confirm
          title={`Make a new secret for ${destination.name}?`}
          action="Make a new secret"
          run={renewSecret}
          close={() => setAsking(null)}
        >
          The current secret stops working. A receiver that verifies signatures refuses deliveries until it has the new
          secret.
        </Confirm>
      )}
      {asking === 'delete' && (
        <Confirm
          title={`Delete the destination ${destination.name}?`}
          action="Delete"
          run={remove}
          close={() => setAsking(null)}
        >
          Waiting deliveries are not sent. The alerts stay in the inbox.
        </Confirm>
      )}
    </Stack>
  )
}
