/** Validation of input: compiled checks; a refusal names the parameter (decisions 1.4). */

import type { TObject, TSchema } from 'typebox'
import { Compile, type Validator } from 'typebox/compile'
import { Value } from 'typebox/value'
import { fromText } from '../../platform/text-value.ts'
import { type ApiError, invalid } from './errors.ts'
import { shrinkToFault, unshifted } from './first-fault.ts'

/** `/associations/0/type` -> `associations[0].type` */
const paramOf = (pointer: string): string =>
  pointer
    .slice(1)
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((path, part) => (/^\d+$/.test(part) ? `${path}[${part}]` : path === '' ? part : `${path}.${part}`), '')

const under = (pointer: string, field: string): string => paramOf(`${pointer}/${field.replaceAll('/', '~1')}`)

/** Compiled by its first use: most of 190 routes are not asked for in the life of a process (ADR 186). */
function compiled<T extends TSchema>(schema: T): () => Validator<Record<never, never>, T> {
  let validator: Validator<Record<never, never>, T> | undefined
  return () => (validator ??= Compile(schema))
}

type Fault = { keyword: string; instancePath: string; message: string; params: object }

/** Whether a fault says no more than that a value is of another kind than a branch of a choice wants. */
const isOfKind = ({ keyword, instancePath }: Fault, path: string): boolean =>
  instancePath === path && ['type', 'const', 'anyOf'].includes(keyword)

/**
 * What a refusal is about: the first fault, of a choice that of the branch for this kind of value. When there is none for
 * it, the kinds that there are.
 */
function nearest(faults: readonly Fault[]): Fault | undefined {
  const first = faults[0]
  if (first === undefined || !['type', 'const'].includes(first.keyword)) return first
  const path = first.instancePath
  const end = faults.findLastIndex(({ keyword, instancePath }) => keyword === 'anyOf' && instancePath === path)
  if (end < 0) return first
  const nearer = faults.findIndex((fault, i) => i < end && !isOfKind(fault, path))
  return nearer < 0 ? { ...first, message: kindsOf(faults.slice(0, end), path) } : nearest(faults.slice(nearer, end))
}

function kindsOf(faults: readonly Fault[], path: string): string {
  const own = faults.filter(({ instancePath }) => instancePath === path).map(({ params }) => params)
  const values = own.flatMap((params) => ('allowedValue' in params ? [params.allowedValue] : []))
  const types = own.flatMap((params) => ('type' in params ? [String(params.type)] : []))
  const free = types.filter((type) => !values.some((value) => typeof value === type))
  return `must be ${[...new Set([...free, ...values.map((value) => JSON.stringify(value))])].join(' or ')}`
}

/**
 * One refusal out of the faults of a value, except that an unknown or missing field is said as such.
 * @param whole what the value itself is called
 */
function refusal(faults: readonly Fault[], what: string, whole = what): ApiError {
  const unknown = faults.find((f) => f.keyword === 'additionalProperties')
  if (unknown !== undefined) {
    const { additionalProperties } = unknown.params as { additionalProperties: string[] }
    return invalid(under(unknown.instancePath, additionalProperties[0] ?? ''), `unknown ${what}`)
  }
  const fault = nearest(faults)
  if (fault === undefined) return invalid(what, 'is not valid')
  if (fault.keyword === 'required') {
    const { requiredProperties } = fault.params as { requiredProperties: string[] }
    return invalid(under(fault.instancePath, requiredProperties[0] ?? ''), 'is required')
  }
  return invalid(fault.instancePath === '' ? whole : paramOf(fault.instancePath), hintOf(fault))
}

function hintOf({ keyword, params, message }: Fault): string {
  if ('allowedValues' in params) return `must be one of ${(params.allowedValues as unknown[]).join(', ')}`
  return keyword === 'minProperties' ? 'must name at least one field' : message
}

/** A check of a JSON body. Throws a 400 that names the field; the value is then not whole any more. */
export function bodyCheck(schema: TSchema): (value: unknown) => unknown {
  const validator = compiled(schema)
  return (value) => {
    if (validator().Check(value)) return value
    const { value: refused, shifts, tooLong } = shrinkToFault(value, (cut) => validator().Check(cut))
    if (tooLong !== null) throw invalid(paramOf(tooLong.pointer), `must not have more than ${tooLong.most} items`)
    const faults = validator().Errors(refused) as Fault[]
    for (const fault of faults) fault.instancePath = unshifted(fault.instancePath, shifts)
    throw refusal(faults, 'body field', 'body')
  }
}

/**
 * A check of query or path parameters, given as text. Fills defaults and converts by the declared type of each property.
 * Throws a 400 for an unknown or repeated parameter, a wrong type, a value out of bounds; it names the parameter. Unknown
 * ones are left out where the schema says `additionalProperties: true`: whom we do not write for may add its own.
 */
export function textCheck(schema: TObject, what: string): (given: Record<string, unknown>) => unknown {
  const validator = compiled(schema)
  const types = new Map(Object.entries(schema.properties).map(([name, p]) => [name, (p as { type?: unknown }).type]))
  const defaults = Value.Default(schema, {}) as Record<string, unknown>
  const open = (schema as { additionalProperties?: unknown }).additionalProperties === true
  return (given) => {
    const value: Record<string, unknown> = { ...defaults }
    for (const [name, text] of Object.entries(given)) {
      if (!types.has(name)) {
        if (open) continue
        throw invalid(name, `unknown ${what}`)
      }
      if (typeof text !== 'string') throw invalid(name, 'is given more than once')
      if (!text.isWellFormed() || text.includes('\0')) throw invalid(name, 'is not valid text')
      value[name] = fromText(types.get(name), text)
    }
    if (validator().Check(value)) return value
    throw refusal(validator().Errors(value) as Fault[], what)
  }
}
