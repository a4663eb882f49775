import { definitionOf } from '../entities/catalogue.ts'
import { entityOf, type Named } from '../entities/named.ts'
import { normalise } from '../entities/normalise.ts'
import type { Invalid } from './invalid.ts'
import { invalid, printableName } from './invalid.ts'

export type Described = { ok: true; entity: Named; attributes: Record<string, string> }

/**
 * The entity that a submission names and its other attributes in normal form (decisions 3.2, 3.3). `path` is where the
 * entity stands in the submission: '' for the root, else ending in a dot. A network of one address is that address, and
 * has no other as its attribute (ADR 258).
 */
export function describe(
  type: string,
  given: Readonly<Record<string, string | number | boolean>>,
  path: string,
): Described | Invalid {
  if (definitionOf(type) === undefined)
    return invalid(`${path}type`, `${path}type ${printableName(type)} is not an entity type of the catalogue`)
  let value: string | undefined
  const attributes: Record<string, string> = {}
  for (const name of Object.keys(given)) {
    const param = `${path}attributes.${printableName(name)}`
    // Catalogue names only reach the assignment below, so `__proto__` is one more unknown key.
    if (definitionOf(name) === undefined) return invalid(param, `${param} is not an attribute of the catalogue`)
    const result = normalise(name, given[name] as string | number | boolean)
    if (typeof result !== 'string') return invalid(param, `${param} ${result.reason}`)
    if (name === type) value = result
    else attributes[name] = result
  }
  if (value !== undefined) {
    const entity = entityOf(type, value)
    if (entity.type === type || attributes.ip === undefined) return { ok: true, entity, attributes }
    const { ip, ...others } = attributes
    if (ip === entity.value) return { ok: true, entity, attributes: others }
    return invalid(
      `${path}attributes.ip`,
      `${path}attributes.ip must be absent or ${entity.value}, the only address of ${value}`,
    )
  }
  const missing = `${path}attributes.${type}`
  return invalid(missing, `${missing} is missing; it is the main attribute of an entity of type ${type}`)
}
