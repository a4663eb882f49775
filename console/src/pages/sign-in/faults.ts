import type { Problem } from '../../api/problem.ts'

type Explanation = { title: string; text: string }

/** Why no code was sent. */
export function explainMailFault({ status, param }: Problem): Explanation | undefined {
  if (status === 429)
    return {
      title: 'Too many codes requested',
      text: 'This email address or this network has reached its limit. Wait 15 minutes, then try again.',
    }
  if (status >= 500)
    return { title: 'The code could not be mailed', text: 'Nothing was changed. Try again in a moment.' }
  if (param === 'email') return { title: 'Not an email address', text: 'Check the spelling of the address.' }
  return undefined
}

/** Why a key pair was not taken. */
export function explainKeyPairFault({ status }: Problem): Explanation | undefined {
  if (status !== 401) return undefined
  return {
    title: 'The key pair was refused',
    text: 'The key or the secret is mistyped, or the pair has expired, was deleted, or was never verified with its code.',
  }
}

/** Headers hold printable ASCII alone, and so do keys and secrets. */
export const isKeyText = (text: string): boolean => /^[\x21-\x7e]{1,512}$/.test(text)

const SIGN_ON: Readonly<Record<string, Explanation>> = {
  expired: {
    title: 'The sign-in took too long',
    text: 'A sign-in must be completed within ten minutes, in the browser in which it was started. Try again.',
  },
  denied: { title: 'The sign-in was declined', text: 'The sign-in page of your organisation did not let you through.' },
  refused: {
    title: 'The sign-in could not be verified',
    text: 'The answer of the sign-in page was not valid. Try again, or inform an administrator.',
  },
  unavailable: {
    title: 'The sign-in page does not respond',
    text: 'Try again in a moment, or sign in with a mailed code.',
  },
  disabled: { title: 'Your account is disabled', text: 'Ask an administrator of this platform.' },
  'no-email': {
    title: 'Your organisation did not say your email address',
    text: 'A new account needs one. Ask your administrator to send the claim email for this platform.',
  },
  'no-verified-email': {
    title: 'Your email address is not verified',
    text: 'A new account needs an address that your organisation has verified. Where it does not say so, an operator of this platform can trust its addresses.',
  },
  'email-of-an-account': {
    title: 'An account with your email address exists',
    text: 'Sign in to it with a mailed code, then link it under Account, Profile.',
  },
  'another-tab': { title: 'Sign in again', text: 'The sign-in was not started in this tab.' },
}

/** Why single sign-on did not sign in; undefined: it was not tried, or worked. */
export const explainSignOn = (outcome: string | null): Explanation | undefined =>
  outcome !== null && Object.hasOwn(SIGN_ON, outcome) ? SIGN_ON[outcome] : undefined
