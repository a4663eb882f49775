import { at, fault } from './fault.ts'

/** Reads one JSON value at its path, or ends with a fault. */
export type Read<T> = (value: unknown, path: string) => T

export function object(value: unknown, path: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) fault(path, 'must be an object')
  return value as Record<string, unknown>
}

type Declared = Readonly<Record<string, Read<unknown> | undefined>>
type Members<D extends Declared> = { [K in keyof D]?: ReturnType<NonNullable<D[K]>> }

/** The members of an object in their order; any that is not declared is refused by its name. */
export function members<D extends Declared>(value: unknown, path: string, declared: D): Members<D> {
  const given = object(value, path)
  const found: Record<string, unknown> = {}
  for (const name of Object.keys(given)) {
    const read = Object.hasOwn(declared, name) ? declared[name] : undefined
    if (read === undefined) fault(at(path, name), `is unknown; expected one of ${Object.keys(declared).join(', ')}`)
    found[name] = read(given[name], at(path, name))
  }
  return found as Members<D>
}

/** The name and the value of the only member. */
export function single(value: unknown, path: string, what: string): [name: string, value: unknown] {
  const given = object(value, path)
  const names = Object.keys(given)
  if (names.length !== 1) fault(path, `must be an object with exactly one member, ${what}`)
  return [names[0]!, given[names[0]!]]
}

export const list =
  <T>(most: number, read: Read<T>): Read<T[]> =>
  (value, path) => {
    if (!Array.isArray(value)) fault(path, 'must be an array')
    if (value.length > most) fault(path, `must have at most ${most.toLocaleString('en')} elements`)
    return value.map((one, i) => read(one, `${path}[${i}]`))
  }

/** A member that has to be there. */
export function requireMember<T>(value: T | undefined, path: string): T {
  return value === undefined ? fault(path, 'is missing') : value
}
