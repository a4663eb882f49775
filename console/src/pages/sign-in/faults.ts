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
