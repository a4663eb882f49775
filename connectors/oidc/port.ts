/** The issuer of an organisation, for single sign-on (decisions 16.3; ADR 276). */

import type { Logout, Profile } from '../../schemas/accounts/sign-on/claims.ts'
import type { Flow } from '../../schemas/accounts/sign-on/flow.ts'
import type { Claims, Mapping } from '../../schemas/accounts/sign-on/mapping.ts'

/** Issuer and subject are who the person is; the rest may change at each sign-in. */
export type Person = Profile & {
  issuer: string
  subject: string
  /** The session at the issuer; null: it does not say. */
  sid: string | null
  /** Of the ID token, over those of the user info. */
  claims: Claims
}

/** The parameters with which a browser came back. */
export type IssuerAnswer = Partial<Record<'code' | 'state' | 'iss' | 'error' | 'error_description', string>>

/** The issuer does not answer, or not as an issuer; the same may work later. */
export class IssuerUnavailable extends Error {
  override name = 'IssuerUnavailable'
}

/** What came does not hold. `denied`: the issuer says so itself; `refused`: a check failed. The cause has no token. */
export class SignOnFault extends Error {
  override name = 'SignOnFault'
  readonly reason: 'denied' | 'refused'

  constructor(reason: 'denied' | 'refused', message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.reason = reason
  }
}

/** Every method throws IssuerUnavailable. Nothing is asked of the issuer before the first of them is called. */
export interface Issuer {
  /** How people know it: `login.example.com`. */
  readonly host: string
  /** Where the browser signs in. */
  authorizationUrl(flow: Flow): Promise<string>
  /** Who came back, by the code of the answer, which is used up. Throws SignOnFault. */
  person(answer: IssuerAnswer, flow: Flow): Promise<Person>
  /** What a logout token ends; its id is still to be compared with those that came before. Throws SignOnFault. */
  logout(token: string): Promise<Logout>
}

/** What a platform with single sign-on has. */
export type SingleSignOn = {
  issuer: Issuer
  /** The rules as they are now: of a broken file the last good ones. */
  mapping: () => Promise<Mapping>
  /** Whether the platform is reached by https, so that its cookies must be. */
  secure: boolean
}
