import { isObject, type Json, membersOf, objectsOf, textOf } from '../document.ts'

const isStix = (value: unknown): value is Json => isObject(value) && textOf(value.type) !== ''

/**
 * The objects of a STIX bundle, of the `{objects: [...]}` envelope of a TAXII server, of a plain list, or the one bare
 * object that the document is. Observables that STIX 2.0 nests in `observed-data` stand among them, under ids of their
 * own. `strangers` are members that are no objects.
 * @throws when the document is none of these
 */
export function stixMembers(document: unknown): { objects: Json[]; strangers: unknown[] } {
  const list = isObject(document) && document.objects !== undefined ? document.objects : document
  const bundle = isObject(document) && Array.isArray(document.objects)
  if (bundle) {
    const strangers = membersOf(list).filter((member) => !isObject(member))
    return { objects: objectsOf(list).flatMap(unnest), strangers }
  }
  // What has one object of STIX is a list of them, whatever else it has.
  if (Array.isArray(list) && list.some(isStix))
    return { objects: list.filter(isStix).flatMap(unnest), strangers: list.filter((one) => !isStix(one)) }
  if (isStix(list) && list.type !== 'bundle') return { objects: unnest(list), strangers: [] }
  throw new Error('not a STIX bundle: expected {"type": "bundle", "objects": [...]}, a list of objects or one object')
}

/** An object, and what it carries inside as STIX 2.0 did: observables under the keys "0", "1", which name each other. */
function unnest(object: Json): Json[] {
  if (object.type !== 'observed-data' || !isObject(object.objects)) return [object]
  const { objects, ...rest } = object
  const idOf = (key: string): string => `${textOf(object.id)}#${key}`
  const inside = Object.entries(objects).filter(([, value]) => isObject(value)) as [string, Json][]
  const observables = inside.map(([key, observable]) => {
    const fields = Object.entries(observable).map(([name, value]): [string, unknown] => {
      if (/_ref$/.test(name)) return [name, idOf(textOf(value))]
      return /_refs$/.test(name) && Array.isArray(value) ? [name, value.map((one) => idOf(textOf(one)))] : [name, value]
    })
    // What the container is marked with holds for what it carries.
    const { object_marking_refs, granular_markings } = object
    return { object_marking_refs, granular_markings, ...Object.fromEntries(fields), id: idOf(key) }
  })
  return [{ ...rest, object_refs: inside.map(([key]) => idOf(key)) }, ...observables]
}
