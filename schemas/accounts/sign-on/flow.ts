/** The secrets of one sign-on (decisions 16.3; ADR 276): what the browser keeps, and what follows from it. */

import { createHmac, randomBytes } from 'node:crypto'

const SECRET_BYTES = 32

/** What `newSecret` makes: nothing else is taken for a secret of ours. */
const SECRET = /^[\w-]{43}$/

/** `state` goes through the issuer; `nonce` comes back in the ID token; `verifier` is of PKCE. */
export type Flow = { state: string; nonce: string; verifier: string }

/** 256 random bits: the cookie of a browser, or a state. */
export const newSecret = (): string => randomBytes(SECRET_BYTES).toString('base64url')

export const isSecret = (text: string | undefined): text is string => text !== undefined && SECRET.test(text)

/**
 * The flow of a state in one browser. Nonce and verifier follow from both, so that no store has them: whoever reads the
 * database, or the address of a browser, cannot finish the sign-on of another.
 */
export const flowOf = (browser: string, state: string): Flow => ({
  state,
  nonce: derive(browser, 'nonce', state),
  verifier: derive(browser, 'verifier', state),
})

const derive = (browser: string, what: string, state: string): string =>
  createHmac('sha256', browser).update(`${what} ${state}`).digest('base64url')
