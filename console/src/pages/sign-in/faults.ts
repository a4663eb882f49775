import type { Problem } from '../../api/problem.ts'

type Explanation = { title: string; text: string }

/** Why no code was sent. */
export function explainMailFault({ status, param }: Problem): Explanation | undefined {
  if (status === 429)
    return {
      title: 'Too many codes were asked for',
      text: 'This email, or this network, has had its share. Wait 15 minutes, then ask again.',
    }
  if (status >= 500)
    return { title: 'The code could not be mailed', text: 'Nothing was changed. Try again in a moment.' }
  if (param === 'email') return { title: 'This is no email address', text: 'Check the spelling of the address.' }
  return undefined
}

/** Why a key pair was not taken. */
export function explainKeyPairFault({ status }: Problem): Explanation | undefined {
  if (status !== 401) return undefined
  return {
    title: 'The platform does not take this key pair',
    text: 'The key or the secret is mistyped, or the pair has expired, was deleted, or was never verified by its code.',
  }
}

/** Headers hold printable ASCII alone, and so do keys and secrets. */
export const isKeyText = (text: string): boolean => /^[\x21-\x7e]{1,512}$/.test(text)
