import type { Record } from '../answers.ts'

/** Records that are looked at one by one; of more, the newest. */
export const COUNTED = 1_000

/**
 * How many records are reports or sightings, and how many of these were taken back.
 * @param items all records
 * @param newest at most `COUNTED` of them
 */
export function reportCount(items: number, newest: readonly Pick<Record, 'verdict' | 'match' | 'retracted'>[]) {
  const others = newest.filter(({ verdict, match }) => verdict !== undefined || match === true).length
  const retracted = newest.filter(({ retracted }) => retracted === true).length
  return { reports: items - others, retracted }
}
