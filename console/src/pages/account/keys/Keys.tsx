import { Badge, Button, Group, Stack, Table, Text } from '@mantine/core'
import { useState } from 'react'
import { api, client } from '../../../api/client.ts'
import { useRefresh } from '../../../api/refresh.ts'
import { Answered } from '../../../parts/Answered.tsx'
import { Confirm } from '../../../parts/Confirm.tsx'
import { Nothing } from '../../../parts/Nothing.tsx'
import { When } from '../../../parts/When.tsx'
import { useCaller, useCredentials } from '../../../session/caller.ts'
import { signOut } from '../../../session/session.ts'
import { NewKey } from './NewKey.tsx'

type Shown = { keyID: string; keyName: string; apiKey: string }

/** The key pairs of the caller: what there is, one more, one less. */
export default function Keys() {
  const asked = api.useQuery('get', '/auth/v2/keypairs')
  const caller = useCaller()
  const held = useCredentials()
  const refresh = useRefresh()
  const [asking, setAsking] = useState<Shown | null>(null)
  const isHeld = (apiKey: string): boolean => held?.kind === 'keys' && held.apiKey === apiKey

  async function remove({ keyID, apiKey }: Shown): Promise<void> {
    await client.DELETE('/auth/v2/keypair/{id}', { params: { path: { id: keyID } } })
    if (isHeld(apiKey)) return signOut()
    await refresh('/auth/v2/keypairs')
  }

  if (caller?.administrator)
    return (
      <Nothing title="No key pairs of an account">
        The key pair of the administrator is set in the configuration. Sign in with an account of your own to make more.
      </Nothing>
    )
  return (
    <Stack gap="lg">
      <Answered of={asked}>
        {({ keypairs }) =>
          keypairs.length === 0 ? (
            <Nothing title="No key pairs yet">Make one below; a program sends it as api-key and api-secret.</Nothing>
          ) : (
            <Table.ScrollContainer
              minWidth={720}
              scrollAreaProps={{ viewportProps: { tabIndex: 0, role: 'region', 'aria-label': 'Key pairs' } }}
            >
              <Table verticalSpacing="xs" aria-label="Key pairs">
                <Table.Thead>
                  <Table.Tr>
                    <Table.Th>Name</Table.Th>
                    <Table.Th>API key</Table.Th>
                    <Table.Th>Made</Table.Th>
                    <Table.Th>Expires</Table.Th>
                    <Table.Th w={110}>Change</Table.Th>
                  </Table.Tr>
                </Table.Thead>
                <Table.Tbody>
                  {keypairs.map((pair) => (
                    <Table.Tr key={pair.keyID} data-testid={`key-${pair.keyID}`}>
                      <Table.Td style={{ overflowWrap: 'anywhere' }}>
                        <Group gap="xs">
                          {pair.keyName}
                          {isHeld(pair.apiKey) && (
                            <Badge variant="default" size="sm" tt="none">
                              this one
                            </Badge>
                          )}
                          {!pair.verified && (
                            <Badge variant="light" color="orange" autoContrast size="sm" tt="none">
                              not verified
                            </Badge>
                          )}
                        </Group>
                      </Table.Td>
                      <Table.Td>
                        <Text size="sm" className="value">
                          {pair.apiKey}
                        </Text>
                      </Table.Td>
                      <Table.Td style={{ whiteSpace: 'nowrap' }}>
                        <When at={pair.createdAt * 1_000} />
                      </Table.Td>
                      <Table.Td style={{ whiteSpace: 'nowrap' }}>
                        {pair.expireAt === null ? 'never' : <When at={pair.expireAt * 1_000} />}
                      </Table.Td>
                      <Table.Td>
                        <Button
                          size="compact-sm"
                          variant="outline"
                          color="red.8"
                          aria-label={`Delete ${pair.keyName} …`}
                          onClick={() => setAsking(pair)}
                        >
                          Delete …
                        </Button>
                      </Table.Td>
                    </Table.Tr>
                  ))}
                </Table.Tbody>
              </Table>
            </Table.ScrollContainer>
          )
        }
      </Answered>
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
          {isHeld(asking.apiKey) && (
            <Text size="sm" fw={600} mt="xs">
              You are signed in with this pair: you are signed out as well.
            </Text>
          )}
        </Confirm>
      )}
    </Stack>
  )
}
