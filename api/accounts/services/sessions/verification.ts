/** Codes by mail (decisions 2.5): a limited number per email, sent in the mail alone, with a few attempts each. */

import type { Mail, Mailer } from '../../../../connectors/mail/port.ts'
import type { Codes, Redeemed, Subject } from '../../../../connectors/postgres/accounts/sessions/port.ts'
import { codeHash, newCode, sameHash, secretHash } from '../../../../schemas/accounts/credentials.ts'
import { addressBlock, networkOf } from '../../../http/addresses/address-block.ts'
import { ApiError } from '../../../http/errors.ts'
import { MAIL_FLOOR_MS, noEarlier } from '../floor.ts'

/**
 * The mail contains no input of the caller, because it goes to the owner of the address, who may not have requested it.
 * The code is not in the subject, because mail servers log subjects.
 */
const codeMail = (to: string, code: string): Mail => ({
  to,
  subject: 'Your Harrier code',
  text: `Your Harrier code is ${code}\n\nThe code is valid for 10 minutes. If you did not request it,\nignore this mail: nothing happens without the code.\n`,
})

const MINUTE_MS = 60 * 1000
const DAY_MS = 24 * 60 * MINUTE_MS

const TRIES = 5
export const CODE_MS = 10 * MINUTE_MS
export const SESSION_MS = 30 * DAY_MS

type Share = readonly { max: number; withinMs: number }[]

/** One network alone takes less than there is for an email, so that others are left something. */
const PER_NETWORK: Share = [
  { max: 5, withinMs: 15 * MINUTE_MS },
  { max: 15, withinMs: DAY_MS },
]

/** With 5 tries each, these and the reserve leave a guesser one chance in 5,000 a day (ADR 276). */
const PER_EMAIL: Share = [
  { max: 10, withinMs: 15 * MINUTE_MS },
  { max: 30, withinMs: DAY_MS },
]

/** Codes reserved for networks from which the email was verified before, whatever other networks request. */
const RESERVE: Share = [
  { max: 5, withinMs: 15 * MINUTE_MS },
  { max: 10, withinMs: DAY_MS },
]
/** How long a network is known after the last code that was redeemed. */
const KNOWN_MS = 180 * DAY_MS

/** An office has one address and many people. */
const PER_ADDRESS: Share = [{ max: 20, withinMs: 15 * MINUTE_MS }]

export type VerificationPorts = {
  codes: Codes
  mailer: Mailer
  now: () => number
  /** Resolves after so many milliseconds. */
  pause: (ms: number) => Promise<void>
}

export type Verification = {
  /**
   * Stores a code for the subject and mails it to `email`; without a user only pretends to, in the same time. Resolves to
   * the id that the caller has to name. Throws 429 when the client's address or network, or the email, has had its share,
   * 500 when the mail could not be sent.
   */
  issue(email: string, ip: string, subject: Subject): Promise<string>
  /** Throws one and the same 400 for a code that is wrong, too late, tried too often, used or unknown. */
  redeem(id: string, code: string): Promise<Redeemed>
  /** The same for the code of a destination of alerts: its id. */
  confirmDestination(id: string, code: string): Promise<string>
}

export function verification({ codes, mailer, now, pause }: VerificationPorts): Verification {
  const since = (bounds: Share, at: number) => bounds.map(({ max, withinMs }) => ({ max, since: at - withinMs }))

  const issue = async (to: string, ip: string, subject: Subject): Promise<string> => {
    const createdAt = now()
    const knownSince = createdAt - KNOWN_MS
    await codes.purge({
      now: createdAt,
      codesBefore: createdAt - DAY_MS,
      unverifiedBefore: createdAt - CODE_MS,
      knownBefore: knownSince,
    })
    const { id, code } = newCode()
    const idHash = secretHash(id)
    const row = {
      idHash,
      codeHash: codeHash(id, code),
      email: to.toLowerCase(),
      address: addressBlock(ip),
      network: secretHash(`${to.toLowerCase()} ${networkOf(ip)}`),
      subject,
      tries: TRIES,
      expiresAt: createdAt + CODE_MS,
      createdAt,
    }
    const bounds = {
      address: since(PER_ADDRESS, createdAt),
      network: since(PER_NETWORK, createdAt),
      email: since(PER_EMAIL, createdAt),
      reserve: since(RESERVE, createdAt),
      knownSince,
    }
    if (!(await codes.open(row, bounds))) throw new ApiError('rate_limited')
    try {
      if (subject.of === 'nobody') await mailer.probe()
      else await mailer.send(codeMail(to, code))
    } catch (cause) {
      await codes.void(idHash)
      throw new ApiError('internal', {}, { cause })
    }
    return id
  }

  /** Uses up one try. Throws 400 unless the code is right. Resolves to the hash of the id. */
  const check = async (id: string, code: string, at: number): Promise<Buffer> => {
    const idHash = secretHash(id.toLowerCase())
    const expected = await codes.takeTry(idHash, at)
    const given = codeHash(id.toLowerCase(), code)
    if (expected === null || !sameHash(given, expected)) throw noSuchCode()
    return idHash
  }

  return {
    // A mail that was sent and one that was not are to look alike.
    issue: (to, ip, subject) => noEarlier({ now, pause }, MAIL_FLOOR_MS, () => issue(to, ip, subject)),

    async redeem(id, code) {
      const at = now()
      const redeemed = await codes.redeem(await check(id, code, at), { now: at, sessionExpiresAt: at + SESSION_MS })
      if (redeemed === null) throw noSuchCode()
      return redeemed
    },

    async confirmDestination(id, code) {
      const at = now()
      const destinationId = await codes.confirmDestination(await check(id, code, at), at)
      if (destinationId === null) throw noSuchCode()
      return destinationId
    },
  }
}

export const noSuchCode = () =>
  new ApiError('invalid_parameter', { message: 'code: is wrong, has expired or was already used', param: 'code' })
