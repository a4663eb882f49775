import { Alert, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { client } from '../../../api/client.ts'
import { useRefresh } from '../../../api/refresh.ts'
import { signOut } from '../../../api/session.ts'
import { KeySecret } from '../../../parts/access/KeySecret.tsx'
import { Confirm } from '../../../parts/feedback/Confirm.tsx'
import { EmptyState } from '../../../parts/feedback/EmptyState.tsx'
import { QueryResult } from '../../../parts/feedback/QueryResult.tsx'
import { WideTable } from '../../../parts/tables/WideTable.tsx'
import { formatInstant } from '../../../parts/time/RelativeTime.tsx'
import { useCaller, useCredentials } from '../../../session/caller.ts'
import { type KeyAction, KeyRow } from './KeyRow.tsx'
import { type KeyPair, listKeys, type RotatedPair } from './keys-api.ts'
import { NarrowKey } from './NarrowKey.tsx'
import { NewKey } from './NewKey.tsx'
import { RotateKey } from './RotateKey.tsx'

/** The key pairs of the caller: list, create, narrow, rotate and delete. */
export default function Keys() {
  const result = useQuery({ queryKey: ['get', '/auth/v2/keypairs'], queryFn: listKeys })
  const caller = useCaller()
  const held = useCredentials()
  const refresh = useRefresh()
  const [asking, setAsking] = useState<{ kind: KeyAction; pair: KeyPair } | null>(null)
  const [rotated, setRotated] = useState<(RotatedPair & { keyName: string }) | null>(null)
  const close = () => setAsking(null)
  const isHeld = ({ apiKey }: KeyPair): boolean => held?.kind === 'keys' && held.apiKey === apiKey

  async function remove(pair: KeyPair): Promise<void> {
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
      {rotated && (
        <KeySecret pair={rotated} done={() => setRotated(null)}>
          <Alert variant="light" color="blue">
            {rotated.previousSecretUntil === null
              ? 'The old secret no longer works.'
              : `The old secret works until ${formatInstant(rotated.previousSecretUntil * 1_000)}.`}
          </Alert>
        </KeySecret>
      )}
      <QueryResult of={result}>
        {(keys) =>
          keys.length === 0 ? (
            <EmptyState title="No key pairs yet">
              Create one below. Programs send it in the headers api-key and api-secret.
            </EmptyState>
          ) : (
            <WideTable
              label="Key pairs"
              columns={['Name', 'API key', 'Narrowed to', 'Created', 'Expires', 'Actions']}
              minWidth={960}
            >
              {keys.map((pair) => (
                <KeyRow key={pair.keyID} pair={pair} held={isHeld(pair)} ask={(kind) => setAsking({ kind, pair })} />
              ))}
            </WideTable>
          )
        }
      </QueryResult>
      <NewKey />
      {asking?.kind === 'narrow' && <NarrowKey pair={asking.pair} close={close} />}
      {asking?.kind === 'rotate' && (
        <RotateKey pair={asking.pair} held={isHeld(asking.pair)} rotated={setRotated} close={close} />
      )}
      {asking?.kind === 'delete' && (
        <Confirm
          title={`Delete the key pair ${asking.pair.keyName}?`}
          action="Delete"
          run={() => remove(asking.pair)}
          close={close}
        >
          Programs that use <span className="value">{asking.pair.apiKey}</span> are refused from now on. This cannot be
          undone.
          {isHeld(asking.pair) && (
            <Text size="sm" fw={600} mt="xs">
              You are signed in with this pair, so you will be signed out.
            </Text>
          )}
        </Confirm>
      )}
    </Stack>
  )
}
