import { type Normalised, type Normaliser, refuse } from '../refusal.ts'
import { email } from './email.ts'
import { fqdn } from './fqdn.ts'
import { uuid } from './identifier.ts'
import { ip } from './ip.ts'
import { phone } from './phone.ts'
import { caseSensitiveText } from './text.ts'
import { url } from './url.ts'

/** What a name is not, each with its word for the reason. */
const OTHERS: readonly (readonly [string, Normaliser])[] = [
  ['a URL', url],
  ['a UUID', uuid],
  ['an email address', email],
  ['an IP address', ip],
  ['a telephone number', phone],
  ['a domain name', fqdn],
]

/** The name of an actor or a group, case kept: text that is none of the things that have a type of their own. */
export function adversary(raw: string): Normalised {
  const name = caseSensitiveText(raw)
  if (typeof name !== 'string') return name
  for (const [what, read] of OTHERS) if (typeof read(name) === 'string') return refuse(`must be a name, not ${what}`)
  return name
}
