/** Validation of input: compiled checks; a refusal names the parameter (decisions 1.4). */

import type { TObject, TSchema } from 'typebox'
import { Compile, type Validator } from 'typebox/compile'
import { Value } from 'typebox/value'
import { fromText } from '../../platform/text-value.ts'
import { type ApiError, invalid } from './errors.ts'

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

/** One refusal out of the faults of a value: the first, except that an unknown or missing field is said as such. */
function refusal(faults: readonly Fault[], what: string): ApiError {
  const unknown = faults.find((f) => f.keyword === 'additionalProperties')
  if (unknown !== undefined) {
    const { additionalProperties } = unknown.params as { additionalProperties: string[] }
    return invalid(under(unknown.instancePath, additionalProperties[0] ?? ''), `unknown ${what}`)
  }
  const fault = faults[0]
  if (fault === undefined) return invalid(what, 'is not valid')
  if (fault.keyword === 'required') {
    const { requiredProperties } = fault.params as { requiredProperties: string[] }
    return invalid(under(fault.instancePath, requiredProperties[0] ?? ''), 'is required')
  }
  const { allowedValues } = fault.params as { allowedValues?: unknown[] }
  const hint = allowedValues === undefined ? fault.message : `must be one of ${allowedValues.join(', ')}`
  return invalid(fault.instancePath === '' ? what : paramOf(fault.instancePath), hint)
}

/** A check of a JSON body. Throws a 400 that names the field. */
export function bodyCheck(schema: TSchema): (value: unknown) => unknown {
  const validator = compiled(schema)
  return (value) => {
    if (validator().Check(value)) return value
    throw refusal(validator().Errors(value) as Fault[], 'body field')
  }
}

/**
 * A check of query or path parameters, given as text. Fills defaults and converts by the declared type of each property.
 * Throws a 400 for an unknown or repeated parameter, a wrong type, a value out of bounds; it names the parameter.
 */
export function textCheck(schema: TObject, what: string): (given: Record<string, unknown>) => unknown {
  const validator = compiled(schema)
  const types = new Map(Object.entries(schema.properties).map(([name, p]) => [name, (p as { type?: unknown }).type]))
  const defaults = Value.Default(schema, {}) as Record<string, unknown>
  return (given) => {
    const value: Record<string, unknown> = { ...defaults }
    for (const [name, text] of Object.entries(given)) {
      if (!types.has(name)) throw invalid(name, `unknown ${what}`)
      if (typeof text !== 'string') throw invalid(name, 'is given more than once')
      if (!text.isWellFormed() || text.includes('\0')) throw invalid(name, 'is not valid text')
      value[name] = fromText(types.get(name), text)
    }
    if (validator().Check(value)) return value
    throw refusal(validator().Errors(value) as Fault[], what)
  }
}
