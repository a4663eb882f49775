import { Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { api, client } from '../../../api/client.ts'
import { useRefresh } from '../../../api/refresh.ts'
import { signOut } from '../../../api/session.ts'
import { Confirm } from '../../../parts/feedback/Confirm.tsx'
import { EmptyState } from '../../../parts/feedback/EmptyState.tsx'
import { QueryResult } from '../../../parts/feedback/QueryResult.tsx'
import { WideTable } from '../../../parts/tables/WideTable.tsx'
import { useCaller, useCredentials } from '../../../session/caller.ts'
import { KeyRow, type Pair } from './KeyRow.tsx'
import { NewKey } from './NewKey.tsx'

/** The key pairs of the caller: list, create and delete. */
export default function Keys() {
  const result = api.useQuery('get', '/auth/v2/keypairs')
  const caller = useCaller()
  const held = useCredentials()
  const refresh = useRefresh()
  const [asking, setAsking] = useState<Pair | null>(null)
  const isHeld = ({ apiKey }: Pair): boolean => held?.kind === 'keys' && held.apiKey === apiKey

  async function remove(pair: Pair): Promise<void> {
    await client.DELETE('/auth/v2/keypair/{id}', { params: { path: { id: pair.keyID } } })
    if (isHeld(pair)) return signOut()
    await refresh('/auth/v2/keypairs')
  }

  if (caller?.administrator)
    return (
      <EmptyState title="No key pairs">
        The key pair of the administrator is set in the configuration. Sign in with a personal account to create key
        pairs.
      </EmptyState>
    )
  return (
    <Stack gap="lg">
      <QueryResult of={result}>
        {({ keys }) =>
          keys.length === 0 ? (
            <EmptyState title="No key pairs yet">
              Create one below. Programs send it in the headers api-key and api-secret.
            </EmptyState>
          ) : (
            <WideTable label="Key pairs" columns={['Name', 'API key', 'Created', 'Expires', 'Actions']} minWidth={720}>
              {keys.map((pair) => (
                <KeyRow key={pair.keyID} pair={pair} held={isHeld(pair)} remove={() => setAsking(pair)} />
              ))}
            </WideTable>
          )
        }
      </QueryResult>
      <NewKey />
      {asking && (
        <Confirm
          title={`Delete the key pair ${asking.keyName}?`}
          action="Delete"
          run={() => remove(asking)}
          close={() => setAsking(null)}
        >
          Programs that use <span className="value">{asking.apiKey}</span> are refused from now on. This cannot be
          undone.
          {isHeld(asking) && (
            <Text size="sm" fw={600} mt="xs">
              You are signed in with this pair, so you will be signed out.
            </Text>
          )}
        </Confirm>
      )}
    </Stack>
  )
}
