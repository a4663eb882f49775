import { formatCount } from '../../parts/format/numbers.ts'
import type { Feed } from './feed.ts'

const percent = (share: number): string => `${Number((share * 100).toFixed(2))}%`

/** What a guard does, in words and with its numbers. */
export function guardText(guard: Feed['guard']): string {
  if (guard === null) return 'Off: every change is published, however large it is.'
  const { loss, gain, from } = guard
  const small = from > 1 ? ` Lists of fewer than ${formatCount(from)} items are not checked.` : ''
  return `A change within a minute that would remove more than ${percent(loss)} of the list, or make it more than ${gain} times as long, is held until it is released.${small}`
}

/** What a release does to a list that is held. */
export function stepText({ now, would }: NonNullable<Feed['held']>): string {
  if (would === now) return `It would still have ${formatCount(now)} items, but some may be different ones.`
  const change = Math.abs(would - now)
  const share = now === 0 ? '' : ` (${percent(change / now)} of the list)`
  return `It would ${would < now ? 'lose' : 'gain'} ${formatCount(change)} items${share}: from ${formatCount(now)} to ${formatCount(would)}.`
}

/** Why it is held, as far as the sizes tell: the guard, or somebody by hand. */
export function heldBecause(guard: Feed['guard'], { now, would }: NonNullable<Feed['held']>): string {
  const tooLarge = guard !== null && now >= guard.from && (would < now * (1 - guard.loss) || would > now * guard.gain)
  return tooLarge
    ? 'The waiting changes are larger than its guard allows.'
    : 'It was held by hand, or the waiting changes have become smaller since.'
}
