import type { Problem } from '../../api/problem.ts'

/** Tries that one code has. */
const TRIES = 5

/** The platform answers every invalid code alike. The age of the code and the number of attempts explain more. */
export function explainCodeFault({ param, status }: Problem, { expired, tries }: { expired: boolean; tries: number }) {
  if (status !== 400 || (param !== null && param !== 'code')) return undefined
  if (expired) return { title: 'The code has expired', text: 'A code is valid for 10 minutes. Send a new one.' }
  if (tries >= TRIES) return { title: 'Too many attempts', text: `A code allows ${TRIES} attempts. Send a new one.` }
  return {
    title: 'Wrong code',
    text: `Use the code from the most recent mail. Attempts left: ${TRIES - tries}.`,
  }
}
