import { asProblem } from '../../../api/problem.ts'

/** Which parameter of the API a field of the form is; a fault belongs to the field with the longest name that fits. */
const PARAMS = {
  name: 'name',
  description: 'description',
  cap: 'cap',
  loss: 'guard.loss',
  gain: 'guard.gain',
  from: 'guard.from',
  groups: 'groups',
  open: 'open',
  types: 'selector.types',
  worst: 'selector.reputation.gte',
  best: 'selector.reputation',
  accuracy: 'selector.accuracy.gte',
  accuracyTo: 'selector.accuracy',
  anyTags: 'selector.tags.any',
  allTags: 'selector.tags.all',
  noTags: 'selector.tags.none',
  values: 'selector.value.in',
  prefix: 'selector.value.prefix',
  suffix: 'selector.value.suffix',
  cidr: 'selector.cidr',
  country: 'selector.country',
  asn: 'selector.asn',
  seenWithin: 'selector.seenWithin',
} as const

export type FieldName = keyof typeof PARAMS
export type Faults = { readonly [Field in FieldName]?: string }

const BY_LENGTH = (Object.entries(PARAMS) as [FieldName, string][]).sort(([, a], [, b]) => b.length - a.length)

/** The field that a refusal is about, with the reason; empty for any other error. */
export function faultsOf(error: unknown): Faults {
  const { param, message, status } = asProblem(error)
  if (error === null || param === null || (status !== 400 && status !== 403)) return {}
  const found = BY_LENGTH.find(
    ([, name]) => param === name || param.startsWith(`${name}.`) || param.startsWith(`${name}[`),
  )
  if (found === undefined) return {}
  const place = /\[(\d+)\]$/.exec(param)?.[1]
  const reason = message.startsWith(`${param}: `) ? message.slice(param.length + 2) : message
  return { [found[0]]: place === undefined ? reason : `entry ${Number(place) + 1}: ${reason}` }
}
