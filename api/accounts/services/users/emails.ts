/** The addresses of a user (decisions 2.5): several, of which one is preferred. Each verified one opens sessions. */

import type { Mail, Mailer } from '../../../../connectors/mail/port.ts'
import type { Accounts, Email, Emails } from '../../../../connectors/postgres/accounts/users/port.ts'
import type { Identity } from '../../../../schemas/accounts/accounts.ts'
import { ApiError } from '../../../http/errors.ts'
import type { Verification } from '../sessions/verification.ts'
import { addressAddedMail, addressPreferredMail, addressRemovedMail } from './account-mails.ts'

/** Addresses of one user. */
const MAX_EMAILS = 10

export type UserEmails = {
  list(user: Identity): Promise<Email[]>
  /**
   * Stores the address and mails it a code; a mail informs the preferred address. The answer does not reveal whether
   * another user has the address: in that case no code verifies it. Throws 403 for a caller with a key pair (a stolen one must not open sessions), 404 without
   * an account, 409 for an own verified address and for one too many, and what a code throws.
   */
  add(user: Identity, address: string, ip: string): Promise<{ email: Email; verificationCodeId: string }>
  /** Throws 403 as `add`, 404 for none and for another user's, 409 for one that is not verified. */
  prefer(user: Identity, id: string): Promise<void>
  /** Throws 403 as `add`, 404 for none and for another user's, 409 for the preferred one. */
  remove(user: Identity, id: string): Promise<void>
}

type Ports = {
  accounts: Pick<Accounts, 'user'>
  emails: Emails
  mailer: Mailer
  verification: Verification
  now: () => number
  newId: () => string
}

export function userEmails({ accounts, emails, mailer, verification, now, newId }: Ports): UserEmails {
  const tell = async (userId: string, mail: (to: string) => Mail): Promise<void> => {
    const user = await accounts.user(userId)
    if (user !== null) await mailer.send(mail(user.email))
  }

  return {
    list: ({ userId }) => emails.ofUser(userId),

    async add(user, address, ip) {
      mustHaveSession(user)
      const { userId } = user
      const given = { id: newId(), userId, address, verified: false, createdAt: now() }
      const outcome = await emails.add(given, MAX_EMAILS)
      if ('refused' in outcome) throw refusal(outcome.refused)
      const { email } = outcome
      const taken = (await emails.ownerOf(address)) !== null
      const subject = taken ? ({ of: 'nobody' } as const) : ({ of: 'email', emailId: email.id } as const)
      const verificationCodeId = await verification.issue(email.address, ip, subject)
      await tell(userId, (to) => addressAddedMail(to, email.address))
      return { email, verificationCodeId }
    },

    async prefer(user, id) {
      mustHaveSession(user)
      const outcome = requireEmail(await emails.prefer(user.userId, id))
      if (outcome === 'unverified') throw notVerified()
      const { email, former } = outcome
      if (email.address !== former) await mailer.send(addressPreferredMail(former, email.address))
    },

    async remove(user, id) {
      mustHaveSession(user)
      const email = requireEmail(await emails.remove(user.userId, id))
      if (email === 'preferred') throw isPreferred()
      if (email.verified) await tell(user.userId, (to) => addressRemovedMail(to, email.address))
    },
  }
}

const mustHaveSession = ({ by, builtIn }: Identity): void => {
  if (by?.kind === 'session') return
  if (builtIn) throw noAccount()
  throw new ApiError('forbidden', { message: 'a session is required to change addresses; key pairs are not accepted' })
}

const noAccount = () => new ApiError('not_found', { message: 'the caller has no account' })
const noEmail = () => new ApiError('not_found', { message: 'no such address', param: 'id' })
const notVerified = () => new ApiError('conflict', { message: 'the address is not verified' })
const isPreferred = () =>
  new ApiError('conflict', {
    message: 'the preferred address cannot be removed; make another address the preferred one first',
  })

function refusal(refused: 'full' | 'no such user' | 'verified already' | 'taken'): ApiError {
  if (refused === 'no such user') return noAccount()
  const messages = {
    full: `a user has at most ${MAX_EMAILS} addresses`,
    'verified already': 'address: is already verified',
    taken: 'address: belongs to another user',
  }
  return new ApiError('conflict', { message: messages[refused], param: 'address' })
}

function requireEmail<T>(given: T | null): T {
  if (given === null) throw noEmail()
  return given
}

export type EmailAdministration = {
  /** Verified at once unless it is said otherwise. Throws 404 for an unknown user, 409 as above. */
  add(userId: string, address: string, verified: boolean): Promise<Email>
  /** The others throw 404 for an unknown address. 409: another user has verified the same one. */
  verify(id: string): Promise<void>
  /** Throws 409 for one that is not verified. */
  prefer(id: string): Promise<void>
  /** Throws 409 for the preferred one. */
  remove(id: string): Promise<void>
}

/** The same for `auth_admin`, over every user, without codes and mails. */
export function emailAdministration({
  emails,
  now,
  newId,
}: Pick<Ports, 'emails' | 'now' | 'newId'>): EmailAdministration {
  return {
    async add(userId, address, verified) {
      const outcome = await emails.add({ id: newId(), userId, address, verified, createdAt: now() }, MAX_EMAILS)
      if (!('refused' in outcome)) return outcome.email
      if (outcome.refused === 'no such user') throw new ApiError('not_found', { message: 'no such user', param: 'id' })
      throw refusal(outcome.refused)
    },
    async verify(id) {
      if (requireEmail(await emails.verify(id)) === 'taken') throw refusal('taken')
    },
    async prefer(id) {
      if (requireEmail(await emails.prefer(null, id)) === 'unverified') throw notVerified()
    },
    async remove(id) {
      if (requireEmail(await emails.remove(null, id)) === 'preferred') throw isPreferred()
    },
  }
}
