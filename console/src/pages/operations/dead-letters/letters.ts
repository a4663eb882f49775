import type { paths } from '../../../api/schema.d.ts'

type Get = paths['/api/admin/v1/dead-letters']['get']
export type Letter = Get['responses'][200]['content']['application/json']['letters'][number]
export type LetterState = Letter['state']
/** The result of replaying or dropping letters. */
export type ActionResult = { matched: number; done: number; skipped: { id: string; why: string }[] }

export const STATES: Record<LetterState, { label: string; sign: string; about: string }> = {
  waiting: { label: 'Waiting', sign: '○', about: 'It has not been handled yet.' },
  replayed: { label: 'Replayed', sign: '↺', about: 'It was written to its topic again.' },
  dropped: { label: 'Dropped', sign: '✗', about: 'It was discarded.' },
}

export const isState = (name: string | null): name is LetterState => name !== null && Object.hasOwn(STATES, name)

/** `2 of 3 were replayed; entity…:0:17: it was replayed before.` */
export function resultText(done: string, requested: number, handled: ActionResult): string {
  const most = handled.skipped.slice(0, 3).map(({ id, why }) => `${id}: ${why}`)
  const rest = handled.skipped.length - most.length
  const skipped = [...most, ...(rest > 0 ? [`${rest} more`] : [])].join('; ')
  const left = requested - handled.done - handled.skipped.length
  return [
    `${handled.done} of ${requested} ${handled.done === 1 ? 'was' : 'were'} ${done}`,
    ...(left > 0 ? [`${left} had been handled before`] : []),
    ...(skipped === '' ? [] : [skipped]),
  ].join('; ')
}
