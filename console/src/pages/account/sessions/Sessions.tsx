import { Button, Stack } from '@mantine/core'
import { useState } from 'react'
import { api } from '../../../api/client.ts'
import { useRefresh } from '../../../api/refresh.ts'
import { EmptyState } from '../../../parts/feedback/EmptyState.tsx'
import { QueryResult } from '../../../parts/feedback/QueryResult.tsx'
import { WideTable } from '../../../parts/tables/WideTable.tsx'
import { EndSessions, type SessionsToEnd } from './EndSessions.tsx'
import { SessionRow } from './SessionRow.tsx'

/** Rows that are shown; the newest come first. */
const MOST = 200

/** Where the caller is signed in. */
export default function Sessions() {
  const result = api.useQuery('get', '/auth/v2/sessions', {}, { refetchInterval: 15_000 })
  const refresh = useRefresh()
  const [ending, setEnding] = useState<SessionsToEnd | null>(null)
  return (
    <Stack gap="md">
      <QueryResult of={result}>
        {({ sessions }) => {
          const others = sessions.flatMap(({ sessionID, current }) => (current ? [] : [sessionID]))
          if (sessions.length === 0)
            return (
              <EmptyState title="No sessions">
                You are signed in with a key pair. A session starts when you sign in with a mailed code.
              </EmptyState>
            )
          return (
            <>
              <WideTable label="Sessions" columns={['Client', 'Started', 'Ends', 'Actions']} minWidth={600}>
                {sessions.slice(0, MOST).map((session) => {
                  const end = () => setEnding({ ids: [session.sessionID], here: session.current })
                  return <SessionRow key={session.sessionID} session={session} end={end} />
                })}
              </WideTable>
              {others.length > 0 && others.length < sessions.length && (
                <Button
                  variant="outline"
                  color="red"
                  size="sm"
                  w="fit-content"
                  onClick={() => setEnding({ ids: others, here: false })}
                >
                  End all others ({others.length}) …
                </Button>
              )}
            </>
          )
        }}
      </QueryResult>
      {ending && (
        <EndSessions ending={ending} ended={() => refresh('/auth/v2/sessions')} close={() => setEnding(null)} />
      )}
    </Stack>
  )
}
