import { Badge, Button, Group, Stack, Table } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useState } from 'react'
import { api } from '../../../api/client.ts'
import { asProblem } from '../../../api/problem.ts'
import { useRefresh } from '../../../api/refresh.ts'
import { Answered } from '../../../parts/Answered.tsx'
import { Nothing } from '../../../parts/Nothing.tsx'
import { absolute, When } from '../../../parts/When.tsx'
import { useCredentials } from '../../../session/caller.ts'
import { type Ending, EndSessions } from './EndSessions.tsx'

/** Rows that are shown; the newest come first. */
const MOST = 200

/** Where the caller is signed in. */
export default function Sessions() {
  const bearer = useCredentials()?.kind === 'bearer'
  const asked = api.useQuery('get', '/auth/v2/sessions', {}, { refetchInterval: 15_000 })
  const own = api.useQuery('get', '/auth/v2/session', {}, { enabled: bearer })
  const refresh = useRefresh()
  const [ending, setEnding] = useState<Ending | null>(null)
  const extend = api.useMutation('put', '/auth/v2/session/extend', {
    onSuccess: async ({ expireAt }) => {
      notifications.show({ title: 'Extended', message: `This session ends on ${absolute(expireAt * 1_000)}.` })
      await refresh('/auth/v2/sessions', '/auth/v2/session')
    },
    onError: (error) => notifications.show({ color: 'red', title: 'Not extended', message: asProblem(error).message }),
  })
  const ended = () => refresh('/auth/v2/sessions')
  return (
    <Stack gap="md">
      <Answered of={asked}>
        {({ sessions }) => {
          const others = sessions.filter(({ sessionID }) => sessionID !== own.data?.sessionID)
          if (sessions.length === 0)
            return (
              <Nothing title="No sessions">
                You are signed in with a key pair. A session begins when you sign in by a mailed code.
              </Nothing>
            )
          return (
            <>
              <Table.ScrollContainer
                minWidth={640}
                scrollAreaProps={{ viewportProps: { tabIndex: 0, role: 'region', 'aria-label': 'Sessions' } }}
              >
                <Table verticalSpacing="xs" aria-label="Sessions">
                  <Table.Thead>
                    <Table.Tr>
                      <Table.Th>Where</Table.Th>
                      <Table.Th>Begun</Table.Th>
                      <Table.Th>Ends</Table.Th>
                      <Table.Th w={190}>Change</Table.Th>
                    </Table.Tr>
                  </Table.Thead>
                  <Table.Tbody>
                    {sessions.slice(0, MOST).map(({ sessionID, kind, verified, createdAt, expireAt }) => {
                      const here = sessionID === own.data?.sessionID
                      return (
                        <Table.Tr key={sessionID} data-testid={`session-${sessionID}`}>
                          <Table.Td style={{ overflowWrap: 'anywhere' }}>
                            <Group gap="xs">
                              {kind || 'Not told'}
                              {here && (
                                <Badge variant="light" autoContrast size="sm" tt="none">
                                  this one
                                </Badge>
                              )}
                              {!verified && (
                                <Badge variant="light" color="orange" autoContrast size="sm" tt="none">
                                  not verified
                                </Badge>
                              )}
                            </Group>
                          </Table.Td>
                          <Table.Td style={{ whiteSpace: 'nowrap' }}>
                            <When at={createdAt * 1_000} />
                          </Table.Td>
                          <Table.Td style={{ whiteSpace: 'nowrap' }}>
                            <When at={expireAt * 1_000} />
                          </Table.Td>
                          <Table.Td>
                            <Group gap="xs" wrap="nowrap">
                              {here && (
                                <Button
                                  size="compact-sm"
                                  variant="default"
                                  loading={extend.isPending}
                                  onClick={() => extend.mutate({})}
                                >
                                  Extend
                                </Button>
                              )}
                              <Button
                                size="compact-sm"
                                variant="outline"
                                color="red.8"
                                onClick={() => setEnding({ ids: [sessionID], here })}
                              >
                                End …
                              </Button>
                            </Group>
                          </Table.Td>
                        </Table.Tr>
                      )
                    })}
                  </Table.Tbody>
                </Table>
              </Table.ScrollContainer>
              {own.data && others.length > 0 && (
                <Button
                  variant="outline"
                  color="red.8"
                  size="sm"
                  w="fit-content"
                  onClick={() => setEnding({ ids: others.map(({ sessionID }) => sessionID), here: false })}
                >
                  End all others ({others.length}) …
                </Button>
              )}
            </>
          )
        }}
      </Answered>
      {ending && <EndSessions ending={ending} ended={ended} close={() => setEnding(null)} />}
    </Stack>
  )
}
