import { notifications } from '@mantine/notifications'
import { client } from '../api/client.ts'
import { asProblem } from '../api/problem.ts'
import { credentialHeaders, credentials, signOut } from '../api/session.ts'

/** Forgets the credentials here at once, and ends the session at the platform where there is one. */
export async function leave(): Promise<void> {
  const held = credentials()
  const headers = credentialHeaders()
  signOut()
  if (held?.kind !== 'bearer') return
  try {
    await client.DELETE('/auth/v2/session', { headers, keepalive: true })
  } catch (error) {
    // A session that has ended already is the wanted result.
    if (asProblem(error).status === 401) return
    notifications.show({
      color: 'yellow',
      title: 'Signed out in this browser only',
      message: 'The platform did not respond, so the session may still be open. End it under Account, Sessions.',
      autoClose: 15_000,
    })
  }
}
