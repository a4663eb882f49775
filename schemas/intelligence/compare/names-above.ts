/** Which names stand above a name. */

import { getDomain } from 'tldts'

/**
 * Whose suffixes end a name: those of registries, or also those below which customers of a provider have names of their own,
 * as of `github.io` (the private part of the public suffix list).
 */
export type Suffixes = 'registries' | 'all'

/** Names in normal form need none of the library's checks. */
const UNCHECKED = { extractHostname: false, validateHostname: false, detectIp: false }
const OPTIONS: Readonly<Record<Suffixes, object>> = {
  registries: { ...UNCHECKED, allowPrivateDomains: false },
  all: { ...UNCHECKED, allowPrivateDomains: true },
}

/** The registrable domain of a name in normal form; null for a suffix itself. */
export const registrableOf = (name: string, suffixes: Suffixes = 'registries'): string | null =>
  getDomain(name, OPTIONS[suffixes])

/** The names above a name in normal form, nearest first, down to its registrable domain; a suffix has none. */
export function namesAbove(name: string, suffixes: Suffixes = 'registries'): string[] {
  const registrable = registrableOf(name, suffixes)
  if (registrable === null) return []
  const above: string[] = []
  for (
    let start = name.indexOf('.') + 1;
    start > 0 && name.length - start >= registrable.length;
    start = name.indexOf('.', start) + 1
  )
    above.push(name.slice(start))
  return above
}
