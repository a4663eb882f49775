import { signIn } from '../../api/session.ts'
import { CodeStep } from '../../parts/access/CodeStep.tsx'

type Props = {
  /** The session that was opened; it becomes valid with its code. */
  session: { sessionID: string; verificationCodeID: string; expireAt: number; bearer: string }
  email: string
  /** The label of the button. */
  action: string
  /** Sends a new code. */
  again: () => void
  /** Back to the email address. */
  change: () => void
}

/** The form for the code of a new session. It signs in with the session once the code is valid. */
export const SessionCode = ({ session, email, action, again, change }: Props) => (
  <CodeStep
    key={session.sessionID}
    verificationCodeID={session.verificationCodeID}
    expireAt={session.expireAt}
    email={email}
    action={action}
    remembers
    verified={(remember) => signIn({ kind: 'bearer', bearer: session.bearer }, remember)}
    again={again}
    change={change}
  />
)
