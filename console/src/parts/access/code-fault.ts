import type { Problem } from '../../api/problem.ts'

/** Tries that one code has. */
const TRIES = 5

/** The platform answers the same for every code that it does not take; when and how often it was tried tells more. */
export function explainCodeFault({ param, status }: Problem, { expired, tries }: { expired: boolean; tries: number }) {
  if (status !== 400 || (param !== null && param !== 'code')) return undefined
  if (expired) return { title: 'The code has expired', text: 'A code is good for 10 minutes. Send a new one.' }
  if (tries >= TRIES)
    return { title: 'The code was tried too often', text: `After ${TRIES} tries a code is used up. Send a new one.` }
  return {
    title: 'This is not the code',
    text: `Compare it with the newest mail: only the code of the last one counts here. Tries left: ${TRIES - tries}.`,
  }
}
