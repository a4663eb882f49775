import { Button, Stack } from '@mantine/core'
import { useState } from 'react'
import { api } from '../../../api/client.ts'
import { useRefresh } from '../../../api/refresh.ts'
import { Answered } from '../../../parts/Answered.tsx'
import { Nothing } from '../../../parts/Nothing.tsx'
import { WideTable } from '../../../parts/WideTable.tsx'
import { useCredentials } from '../../../session/caller.ts'
import { type Ending, EndSessions } from './EndSessions.tsx'
import { SessionRow } from './SessionRow.tsx'

/** Rows that are shown; the newest come first. */
const MOST = 200

/** Where the caller is signed in. */
export default function Sessions() {
  const bearer = useCredentials()?.kind === 'bearer'
  const asked = api.useQuery('get', '/auth/v2/sessions', {}, { refetchInterval: 15_000 })
  const own = api.useQuery('get', '/auth/v2/session', {}, { enabled: bearer })
  const refresh = useRefresh()
  const [ending, setEnding] = useState<Ending | null>(null)
  const ownId = own.data?.sessionID
  return (
    <Stack gap="md">
      <Answered of={asked}>
        {({ sessions }) => {
          const others = sessions.flatMap(({ sessionID }) => (sessionID === ownId ? [] : [sessionID]))
          if (sessions.length === 0)
            return (
              <Nothing title="No sessions">
                You are signed in with a key pair. A session begins when you sign in by a mailed code.
              </Nothing>
            )
          return (
            <>
              <WideTable label="Sessions" columns={['Where', 'Begun', 'Ends', 'Change']} minWidth={600}>
                {sessions.slice(0, MOST).map((session) => {
                  const here = session.sessionID === ownId
                  const end = () => setEnding({ ids: [session.sessionID], here })
                  return <SessionRow key={session.sessionID} session={session} here={here} end={end} />
                })}
              </WideTable>
              {ownId !== undefined && others.length > 0 && (
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
      </Answered>
      {ending && (
        <EndSessions ending={ending} ended={() => refresh('/auth/v2/sessions')} close={() => setEnding(null)} />
      )}
    </Stack>
  )
}
