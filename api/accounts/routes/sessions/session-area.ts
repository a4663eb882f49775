import type { Mailer } from '../../../../connectors/mail/port.ts'
import type { SessionStore } from '../../../../connectors/postgres/accounts/sessions/port.ts'
import type { Accounts, Emails } from '../../../../connectors/postgres/accounts/users/port.ts'
import type { Route } from '../../../http/route.ts'
import { userKeyPairs } from '../../services/sessions/key-pairs.ts'
import { userSessions } from '../../services/sessions/sessions-service.ts'
import { verification } from '../../services/sessions/verification.ts'
import { userEmails } from '../../services/users/emails.ts'
import { emailRoutes } from '../users/emails.ts'
import { keyPairRoutes } from './key-pairs.ts'
import { sessionRoutes } from './sessions-routes.ts'

type Ports = {
  accounts: Accounts
  sessions: SessionStore
  emails: Emails
  mailer: Mailer
  now: () => number
  newId: () => string
  pause: (ms: number) => Promise<void>
}

/** Sessions, key pairs and addresses over one way of sending codes. */
export function sessionsAndKeyPairs(ports: Ports): Route[] {
  const store = ports.sessions
  const shared = { ...ports, store, verification: verification({ ...ports, codes: store }) }
  return [
    ...sessionRoutes(userSessions(shared)),
    ...keyPairRoutes(userKeyPairs(shared), ports.now),
    ...emailRoutes(userEmails(shared)),
  ]
}
