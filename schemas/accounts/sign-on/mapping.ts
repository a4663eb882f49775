/** What the claims of a person give it, by the rules of an operator (decisions 16.3; ADR 276). Pure. */

import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import { MAX_GROUP_LENGTH, MAX_GROUPS } from '../../intelligence/observations/audience.ts'
import { isCustomerGroup, ROLES, type Role } from '../accounts.ts'

/** Far more than an organisation has departments. */
const MAX_RULES = 1_000

const CLOSED = { additionalProperties: false }
const UUID = '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$'

const Rule = Type.Object(
  {
    claim: Type.String({ minLength: 1, maxLength: 200 }),
    value: Type.Union([Type.String({ minLength: 1, maxLength: 500 }), Type.Number(), Type.Boolean()]),
    roles: Type.Optional(Type.Array(Type.Enum([...ROLES]), { maxItems: ROLES.length })),
    groups: Type.Optional(
      Type.Array(Type.String({ maxLength: MAX_GROUP_LENGTH, pattern: '\\S' }), { maxItems: MAX_GROUPS }),
    ),
    customer: Type.Optional(Type.String({ pattern: UUID })),
    member: Type.Optional(Type.Enum(['admin', 'user'])),
  },
  CLOSED,
)
const MappingFile = Type.Object({ rules: Type.Array(Rule, { maxItems: MAX_RULES }) }, CLOSED)

export type Mapping = Static<typeof MappingFile>
export type MappingRule = Mapping['rules'][number]
export type Claims = Readonly<Record<string, unknown>>

/** An owner is never made by a mapping. */
export type MappedMembership = { customerId: string; role: 'admin' | 'user' }

export type MappedRights = { roles: Role[]; groups: string[]; membership: MappedMembership | null }

/** A platform without a mapping file. */
export const NO_MAPPING: Mapping = { rules: [] }

/** The rules of a parsed file. Throws an Error that lists every fault with its place. */
export function readMapping(file: unknown): Mapping {
  const faults = new Set<string>()
  for (const { instancePath, message } of Value.Errors(MappingFile, file)) {
    faults.add(`${instancePath === '' ? 'file' : instancePath.slice(1).replaceAll('/', '.')} ${message}`)
  }
  const rules = faults.size === 0 ? (file as Mapping).rules : []
  rules.forEach((rule, at) => {
    for (const why of ruleFaults(rule)) faults.add(`rules.${at} ${why}`)
  })
  if (faults.size > 0) throw new Error(`bad mapping:\n${[...faults].map((line) => `  ${line}`).join('\n')}`)
  return { rules }
}

function ruleFaults({ roles = [], groups = [], customer, member }: MappingRule): string[] {
  const faults: string[] = []
  for (const group of groups) {
    if (isCustomerGroup(group)) faults.push(`names the group ${group}, which only a membership gives`)
  }
  if (member !== undefined && customer === undefined) faults.push('has a member without a customer')
  if (roles.length + groups.length === 0 && customer === undefined) faults.push('gives nothing')
  return faults
}

/**
 * What all rules that match give together. Of several customers, that of the first rule that names one: a user belongs to
 * one at most. Its role there is the highest that the rules of this customer give.
 */
export function rightsOf({ rules }: Mapping, claims: Claims): MappedRights {
  const matching = rules.filter(({ claim, value }) => has(claimOf(claims, claim), value))
  const roles = new Set(matching.flatMap((rule) => rule.roles ?? []))
  const groups = new Set(matching.flatMap((rule) => rule.groups ?? []))
  const customerId = matching.find((rule) => rule.customer !== undefined)?.customer
  const isAdmin = matching.some(({ customer, member }) => customer === customerId && member === 'admin')
  return {
    roles: ROLES.filter((role) => roles.has(role)),
    groups: [...groups].sort().slice(0, MAX_GROUPS),
    membership: customerId === undefined ? null : { customerId, role: isAdmin ? 'admin' : 'user' },
  }
}

/**
 * Claims of the rules that the tokens do not carry. `elsewhere`: they say that there are some. Entra ID leaves the groups of
 * somebody with many of them out, and names them in `_claim_names` (OpenID Connect Core 1.0, 5.6.2) or says `hasgroups`: that
 * is not to have none. `absent`: they say nothing of them, as of a person without any, or of a claim that is never sent.
 */
export function leftOut({ rules }: Mapping, claims: Claims): { elsewhere: string[]; absent: string[] } {
  const named = typeof claims._claim_names === 'object' && claims._claim_names !== null ? claims._claim_names : {}
  const isElsewhere = (name: string): boolean =>
    Object.hasOwn(named, name) || (name === 'groups' && (claims.hasgroups === true || claims.hasgroups === 'true'))
  const names = new Set(rules.map(({ claim }) => claim))
  const missing = [...names].filter((name) => claimOf(claims, name) === undefined)
  const elsewhere = missing.filter((name) => isElsewhere(name.split('.')[0]!))
  return { elsewhere, absent: missing.filter((name) => !elsewhere.includes(name)) }
}

/** Equal to the claim, or an item of it where that is a list. */
const has = (claim: unknown, value: MappingRule['value']): boolean =>
  Array.isArray(claim) ? claim.includes(value) : claim === value

/** A claim by its name; where there is none of that name, the dots of the name lead into objects. */
function claimOf(claims: Claims, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name]
  let value: unknown = claims
  for (const part of name.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined
    value = (value as Claims)[part]
  }
  return value
}
