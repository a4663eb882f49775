/** Validation of input: compiled checks; a refusal names the parameter (decisions 1.4). */

import type { TObject, TSchema } from 'typebox'
import { Compile, type Validator } from 'typebox/compile'
import { Value } from 'typebox/value'
import { fromText } from '../../platform/text-value.ts'
import { type ApiError, invalid } from './errors.ts'

// The part of a value that is refused, found without looking for the faults of all the rest (ADR 254).

/** The library may look at so many items that are refused only together. */
const FEW = 16
/** Longer texts are cut to so many characters where they are refused all the same: a pattern is tried on what is left. */
const LONG_TEXT = 4_096
/** So many questions at most: each is a check of the whole value, which is smaller each time. */
const MAX_CHECKS = 400

type Shrunk = {
  /** Refused as the whole was. */
  value: unknown
  /** Of each array that was cut to one item, by its pointer, the place that the item had. */
  shifts: ReadonlyMap<string, number>
  /** The array that is refused for the number of its items alone. */
  tooLong: { pointer: string; most: number } | null
}

type Container = Record<string, unknown> | unknown[]

const isContainer = (value: unknown): value is Container => typeof value === 'object' && value !== null
const escaped = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1')

/**
 * Of each array of a refused value one item stays, that which it is refused for: the library looks for faults in every item,
 * which for a mebibyte takes a third of a second, while its compiled check stops at the first one.
 * Long texts are cut likewise. The value is changed in place.
 * @param fits the compiled check; it refuses `value`
 */
export function shrinkToFault(value: unknown, fits: (value: unknown) => boolean): Shrunk {
  const shifts = new Map<string, number>()
  const root = { value }
  let checks = 0
  let tooLong: Shrunk['tooLong'] = null

  function shrink(holder: Container, key: string, pointer: string): void {
    const held = (holder as Record<string, unknown>)[key]
    if (checks >= MAX_CHECKS || tooLong !== null) return
    /** Whether the value is refused with this in its place. */
    const refusedWith = (part: unknown): boolean => {
      checks++
      ;(holder as Record<string, unknown>)[key] = part
      return !fits(root.value)
    }
    if (typeof held === 'string' && held.length > LONG_TEXT && !refusedWith(held.slice(0, LONG_TEXT))) refusedWith(held)
    if (!isContainer(held)) return
    let kept: Container = held
    if (Array.isArray(held) && held.length > 1) {
      const end = firstRefused(held, refusedWith)
      kept = [held[end - 1]]
      if (refusedWith(kept)) shifts.set(pointer, end - 1)
      else if (end > FEW && isTooLong(held.slice(0, end), refusedWith))
        tooLong = { pointer: unshifted(pointer, shifts), most: end - 1 }
      else {
        kept = held.slice(0, end)
        refusedWith(kept)
      }
    }
    for (const inner of Object.keys(kept)) shrink(kept, inner, `${pointer}/${escaped(inner)}`)
  }

  shrink(root, 'value', '')
  return { value: root.value, shifts, tooLong }
}

/** How many of the first items are refused. No schema demands more than one, so a part is not refused for its length. */
function firstRefused(items: unknown[], refusedWith: (items: unknown[]) => boolean): number {
  if (refusedWith(items.slice(0, 1))) return 1
  let [passes, fails] = [1, items.length]
  while (fails - passes > 1) {
    const middle = (passes + fails) >> 1
    if (refusedWith(items.slice(0, middle))) fails = middle
    else passes = middle
  }
  return fails
}

/** Whether items that are refused only together are too many, and not one that is there twice. */
const isTooLong = (items: unknown[], refusedWith: (items: unknown[]) => boolean): boolean =>
  !refusedWith(items.slice(1)) && !refusedWith(items.toSpliced(-2, 1))

/** The pointer of a fault of a shrunken value in the value as it was. */
export function unshifted(pointer: string, shifts: ReadonlyMap<string, number>): string {
  if (shifts.size === 0) return pointer
  let [shrunk, whole] = ['', '']
  for (const part of pointer.split('/').slice(1)) {
    const at = shifts.get(shrunk)
    shrunk += `/${part}`
    whole += `/${at ?? part}`
  }
  return whole
}

/** `/associations/0/type` -> `associations[0].type` */
const paramOf = (pointer: string): string =>
  pointer
    .slice(1)
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((path, part) => (/^\d+$/.test(part) ? `${path}[${part}]` : path === '' ? part : `${path}.${part}`), '')

const under = (pointer: string, field: string): string => paramOf(`${pointer}/${field.replaceAll('/', '~1')}`)

/** Compiled by its first use: most of 190 routes are not asked for in the life of a process (ADR 281). */
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
    const missing = faults.find((f) => f.keyword === 'required' && f.instancePath === unknown.instancePath)
    const instead = missing === undefined ? '' : `; ${requiredIn(missing)} is required`
    return invalid(under(unknown.instancePath, additionalProperties[0] ?? ''), `unknown ${what}${instead}`)
  }
  const fault = nearest(faults)
  if (fault === undefined) return invalid(what, 'is not valid')
  if (fault.keyword === 'required') return invalid(under(fault.instancePath, requiredIn(fault)), 'is required')
  return invalid(fault.instancePath === '' ? whole : paramOf(fault.instancePath), hintOf(fault))
}

const requiredIn = ({ params }: Fault): string =>
  (params as { requiredProperties: string[] }).requiredProperties[0] ?? ''

function hintOf({ keyword, params, message }: Fault): string {
  if ('allowedValues' in params) return `must be one of ${(params.allowedValues as unknown[]).join(', ')}`
  return keyword === 'minProperties' ? 'must name at least one field' : message
}

/** A check of a JSON body. Throws a 400 that names the field; the value is then not whole any more. */
export function bodyCheck(schema: TSchema): (value: unknown) => unknown {
  const validator = compiled(schema)
  const { type, required = [] } = schema as { type?: string; required?: readonly string[] }
  return (value) => {
    if (validator().Check(value)) return value
    if (type === 'object' && required.length > 0 && (!isContainer(value) || Array.isArray(value)))
      throw invalid('body', `must be object, with ${required.join(', ')}`)
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
    for (const name of Object.keys(given)) {
      const text = given[name]
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
