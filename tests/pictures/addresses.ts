/** Which addresses of the console are looked at. */

import { CONSOLE_PAGES } from '../../schemas/console-pages.ts'

/** An address, and the name of its pictures. */
export type Address = { name: string; path: string }

export type Seen = { id: string; reputation: number; accuracy: number }

/** The one with most to show: the most accurate of the worst. Null when nothing was seen. */
export const mostTelling = (seen: readonly Seen[]): string | null =>
  [...seen].sort((a, b) => a.reputation - b.reputation || b.accuracy - a.accuracy)[0]?.id ?? null

/**
 * Every address of the console that `only` names; of an entity one page, and none without an id.
 * @throws Error when `only` names something that is no address
 */
export function addressesOf(entity: string | null, only: readonly string[] | null): Address[] {
  const all = Object.entries(CONSOLE_PAGES).flatMap(([page, paths]) =>
    paths.map((path: string, at) => ({
      name: at === 0 ? page : path.slice(1).replaceAll('/', '-'),
      path: path.replace(':id', encodeURIComponent(entity ?? '')),
    })),
  )
  const unknown = only?.find((name) => !all.some((address) => address.name === name))
  if (unknown !== undefined) throw new Error(`--pages: ${unknown} is none of ${all.map(({ name }) => name).join(', ')}`)
  return all.filter(({ name }) => (only?.includes(name) ?? true) && (name !== 'entity' || entity !== null))
}
