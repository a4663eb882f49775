import { isObject, type Json, membersOf, textOf } from '../../document.ts'
import { digestType } from '../digest.ts'
import { KEPT, STRUCTURE } from './kept.ts'

/** What a document holds and is not kept: in how many objects of a type a property was lost. */
export type Lost = { type: string; property: string; n: number }

/** What was made of an object: all that can be read of it is kept; nothing is; it takes back what the object said. */
export type Fate = 'read' | 'unread' | 'withdrawn'

/** Different kinds of losses that are told apart, and how much of a name is shown; all others are one kind. */
const MAX_KINDS = 10_000
const MAX_NAME = 256
const OTHER = '(other)'

/** Counts what is lost of objects, each property once for each object that has it (decisions 15.3). */
export function lossCounter() {
  const counts = new Map<string, Lost>()

  function add(type: string, property: string): void {
    const [shown, name] = [type.slice(0, MAX_NAME) || OTHER, property.slice(0, MAX_NAME)]
    const key = JSON.stringify([shown, name])
    const known = counts.get(key)
    if (known !== undefined) known.n++
    else if (counts.size < MAX_KINDS) counts.set(key, { type: shown, property: name, n: 1 })
    else if (shown !== OTHER || name !== OTHER) add(OTHER, OTHER)
    else counts.set(key, { type: OTHER, property: OTHER, n: 1 })
  }

  return {
    /** @param isEntity whether an id stands for an entity that a reference may lead to */
    count(object: Json, fate: Fate, isEntity: (id: string) => boolean): void {
      const type = textOf(object.type)
      for (const property of Object.keys(object))
        if (object[property] !== undefined && !isKept(object, type, property, fate, isEntity)) add(type, property)
      if (fate === 'read') for (const algorithm of unknownDigests(object, type)) add(type, `hashes.${algorithm}`)
    },
    /** By type and property. */
    all: (): Lost[] => [...counts.values()].sort((a, b) => compare(a.type, b.type) || compare(a.property, b.property)),
  }
}

/** The losses of several documents as one list. */
export function addLost(all: readonly (readonly Lost[])[]): Lost[] {
  const sum = new Map<string, Lost>()
  for (const { type, property, n } of all.flat()) {
    const key = JSON.stringify([type, property])
    sum.set(key, { type, property, n: n + (sum.get(key)?.n ?? 0) })
  }
  return [...sum.values()].sort((a, b) => compare(a.type, b.type) || compare(a.property, b.property))
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

function isKept(object: Json, type: string, property: string, fate: Fate, isEntity: (id: string) => boolean): boolean {
  // What takes back an object says nothing else that would count.
  if (fate === 'withdrawn') return true
  const structural = Object.hasOwn(STRUCTURE, property) ? STRUCTURE[property]! : undefined
  if (structural !== undefined) return structural === true || structural(object)
  if (fate === 'unread') return false
  const table = KEPT.get(type)
  const known = table !== undefined && Object.hasOwn(table, property) ? table[property]! : undefined
  if (known !== undefined) return known === true || known(object)
  // References of entities are associations, where they lead to another one.
  if (!/_refs?$/.test(property) || property === 'created_by_ref' || type === 'relationship' || type === 'sighting')
    return false
  const targets = membersOf(object[property]).map(textOf)
  return targets.length > 0 && targets.every(isEntity)
}

/** Digests that the catalogue has no type for. */
function unknownDigests({ hashes }: Json, type: string): string[] {
  if (!isObject(hashes) || (type !== 'file' && type !== 'artifact')) return []
  return Object.keys(hashes).filter((algorithm) => digestType(algorithm) === undefined)
}
