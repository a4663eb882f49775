import { client } from '../../../api/client.ts'
import { asProblem } from '../../../api/problem.ts'
import { signOut } from '../../../api/session.ts'
import { Confirm } from '../../../parts/feedback/Confirm.tsx'

/** `here`: it is the session of this page. */
export type SessionsToEnd = { ids: string[]; here: boolean }

type Props = { ending: SessionsToEnd; ended: () => Promise<void>; close: () => void }

/** Ends one session or several, after a confirmation. */
export function EndSessions({ ending: { ids, here }, ended, close }: Props) {
  async function end(): Promise<void> {
    for (const id of ids)
      await client.DELETE('/auth/v2/session/{id}', { params: { path: { id } } }).catch((error) => {
        // The session may have expired meanwhile.
        if (asProblem(error).status !== 404) throw error
      })
    if (here) return signOut()
    await ended()
  }

  const title = here ? 'End this session?' : ids.length === 1 ? 'End the session?' : `End ${ids.length} sessions?`
  return (
    <Confirm title={title} action={ids.length === 1 ? 'End it' : 'End them'} run={end} close={close}>
      {here
        ? 'You will be signed out here.'
        : 'The client is signed out with its next request. To sign in again, it needs a mailed code.'}
    </Confirm>
  )
}
