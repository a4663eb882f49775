import { Alert, Button, Group, Text } from '@mantine/core'
import { useState } from 'react'
import { client } from '../../api/client.ts'
import { useRefresh } from '../../api/refresh.ts'
import { Confirm } from '../../parts/feedback/Confirm.tsx'
import { formatCount } from '../../parts/format/numbers.ts'
import type { Feed } from './feed.ts'
import { heldBecause, stepText } from './guard-text.ts'

type Order = 'hold' | 'release'

/** Whether a feed is held, why and with what waits, and how to hold or release it. */
export function Held({ feed }: { feed: Feed }) {
  const [asked, setAsked] = useState<Order | null>(null)
  const refresh = useRefresh()
  const { held, guard } = feed
  const step = held === undefined ? '' : stepText(held)

  async function run(order: Order): Promise<void> {
    const params = { params: { path: { id: feed.id } } }
    await (order === 'hold'
      ? client.POST('/api/feeds/v1/feeds/{id}/hold', params)
      : client.POST('/api/feeds/v1/feeds/{id}/release', params))
    await refresh('/api/feeds/v1/feeds/{id}', '/api/feeds/v1/feeds')
  }

  return (
    <>
      {held !== undefined && (
        <Alert color="red" variant="light" title="This feed is held" data-testid="held">
          <Text size="sm">
            {heldBecause(guard, held)} Readers get the list as it was, with {formatCount(held.now)} items. {step}
          </Text>
        </Alert>
      )}
      <Group gap="sm">
        {feed.state === 'held' ? (
          <Button size="xs" onClick={() => setAsked('release')}>
            Release …
          </Button>
        ) : (
          <Button size="xs" variant="default" onClick={() => setAsked('hold')}>
            Hold …
          </Button>
        )}
      </Group>
      {asked === 'release' && (
        <Confirm
          title={`Release ${feed.name}?`}
          action="Release"
          harmful={false}
          run={() => run('release')}
          close={() => setAsked(null)}
        >
          The waiting changes reach every reader within seconds. {step} This cannot be undone, because devices download
          the list.
        </Confirm>
      )}
      {asked === 'hold' && (
        <Confirm
          title={`Hold ${feed.name}?`}
          action="Hold"
          harmful={false}
          run={() => run('hold')}
          close={() => setAsked(null)}
        >
          Readers get the current list until the feed is released: no new entity enters it, and entities that are
          retracted or become benign stay in it.
        </Confirm>
      )}
    </>
  )
}
