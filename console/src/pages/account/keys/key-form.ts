/** The fields that narrow a key pair, and the bodies that they make. Pure. */

import type { Scope } from '../../../../../schemas/accounts/scopes.ts'
import { recognise } from '../../../parts/indicators/recognise.ts'
import type { KeyChange, KeyPair, NewKey } from './keys-api.ts'

/** What a scope opens, in the words of a person. */
export const SCOPE_WORDS: Readonly<Record<Scope, { label: string; opens: string }>> = {
  read: { label: 'Read', opens: 'entities and their evidence, analytics, live changes' },
  search: { label: 'Search', opens: 'searches and look-ups' },
  'feeds:read': { label: 'Read feeds', opens: 'lists, deltas and TAXII collections' },
  'feeds:write': { label: 'Change feeds', opens: 'making, changing and deleting feeds and their tokens' },
  ingest: { label: 'Report', opens: 'reports, comments and scans' },
  match: { label: 'Telemetry', opens: 'events of sensors, and their matches' },
  casework: { label: 'Casework', opens: 'cases, watchlists, alerts and verdicts' },
  account: { label: 'Account', opens: 'sessions, key pairs, the team, the plan and instances' },
  admin: { label: 'Administration', opens: 'all that your roles administer' },
}

/** Nothing chosen, no line: not narrowed. `networks` has one a line. */
export type BoundFields = { scopes: Scope[]; groups: string[]; networks: string }
export type KeyFields = BoundFields & { name: string; days: number | string }

export const NO_BOUNDS: BoundFields = { scopes: [], groups: [], networks: '' }
export const NEW_KEY: KeyFields = { ...NO_BOUNDS, name: '', days: 90 }
export const MAX_DAYS = 3650
const MAX_NETWORKS = 100
const DAY = 86_400

/** The parameter of the API that each field is. */
export const PARAMS = {
  name: 'name',
  days: 'days',
  expireAt: 'expireAt',
  scopes: 'scopes',
  groups: 'groups',
  networks: 'networks',
} as const

/** How long the old secret works after a rotation: seconds, in words. */
export const GRACES = [
  { value: '0', label: 'ends at once' },
  { value: '3600', label: 'works for 1 hour' },
  { value: '28800', label: 'works for 8 hours' },
  { value: '86400', label: 'works for 24 hours' },
]

export const networksOf = (text: string): string[] =>
  text
    .split(/[\n,]/)
    .map((line) => line.trim())
    .filter((line) => line !== '')

/** What is wrong with the lines; null: nothing that can be seen here. */
export function networksFault(text: string): string | null {
  const networks = networksOf(text)
  if (networks.length > MAX_NETWORKS) return `At most ${MAX_NETWORKS} networks`
  const bad = networks.find((line) => {
    const { kind, defanged } = recognise(line)
    return defanged || line.includes('%') || (kind !== 'ip' && kind !== 'cidr')
  })
  return bad === undefined ? null : `${bad} is no network such as 192.0.2.0/24, and no address`
}

export const areDays = (days: number | string): days is number =>
  typeof days === 'number' && Number.isInteger(days) && days >= 1 && days <= MAX_DAYS

/** The scopes that a new key of a caller may have. A key of somebody without an administrator's role opens nothing there. */
export const scopesFor = (roles: readonly string[]): Scope[] =>
  (Object.keys(SCOPE_WORDS) as Scope[]).filter(
    (scope) => scope !== 'admin' || roles.some((role) => role.endsWith('_admin')),
  )

export function newKeyBody({ name, days, scopes, groups, networks }: KeyFields): NewKey {
  const lines = networksOf(networks)
  return {
    name: name.trim(),
    days: Number(days),
    ...(scopes.length === 0 ? {} : { scopes }),
    ...(groups.length === 0 ? {} : { groups }),
    ...(lines.length === 0 ? {} : { networks: lines }),
  }
}

/** The fields of a key pair as it is; `days` is empty: its end stays. */
export const fieldsOf = ({ keyName, scopes, groups, networks }: KeyPair): KeyFields => ({
  name: keyName,
  days: '',
  scopes: scopes ?? [],
  groups: groups ?? [],
  networks: (networks ?? []).join('\n'),
})

/** Why a narrowed part may not be left empty: that is no narrower key. Empty: nothing is wrong. */
export function emptiedParts({ scopes, groups, networks }: KeyPair, fields: BoundFields) {
  const emptied = (before: readonly string[] | null, now: readonly string[]) => before !== null && now.length === 0
  return {
    ...(emptied(scopes, fields.scopes) ? { scopes: 'Leave at least one' } : {}),
    ...(emptied(groups, fields.groups) ? { groups: 'Leave at least one' } : {}),
    ...(emptied(networks, networksOf(fields.networks)) ? { networks: 'Leave at least one' } : {}),
  }
}

/** What changes of a key pair; null: nothing. `now` in unix milliseconds. */
export function keyChange(pair: KeyPair, fields: KeyFields, now: number): KeyChange | null {
  const { name, days, scopes, groups } = fields
  const networks = networksOf(fields.networks)
  const change: KeyChange = {
    ...(name.trim() === pair.keyName ? {} : { name: name.trim() }),
    ...(same(pair.scopes, scopes) ? {} : { scopes }),
    ...(same(pair.groups, groups) ? {} : { groups }),
    ...(same(pair.networks, networks) ? {} : { networks }),
    ...(areDays(days) ? { expireAt: Math.floor(now / 1_000) + days * DAY } : {}),
  }
  return Object.keys(change).length === 0 ? null : change
}

const same = (before: readonly string[] | null, now: readonly string[]): boolean =>
  before === null ? now.length === 0 : before.length === now.length && before.every((one) => now.includes(one))

/** A list of which a row shows few, with how many more there are. */
export const shorten = (list: readonly string[], most = 4): string[] =>
  list.length <= most ? [...list] : [...list.slice(0, most - 1), `${list.length - most + 1} more`]
