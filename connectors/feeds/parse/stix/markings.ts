import { isObject, type Json, membersOf, textOf } from '../document.ts'
import { type Marking, markingOfTag, markingOfWord, strictest } from '../marking.ts'

/** The definitions that the standard and FIRST fix, TLP 1.0 and 2.0; a bundle need not carry them and cannot change them. */
const FIXED: ReadonlyMap<string, Marking> = new Map([
  ['613f2e26-407d-48c7-9eca-b8e91df99dc9', 'clear'],
  ['34098fce-860f-48ae-8e50-ebd3cc5e41da', 'green'],
  ['f88d31f6-486f-44da-b317-01333bde0b82', 'amber'],
  ['5e57c739-391a-4eb3-b6be-7d15ca92d5ed', 'red'],
  ['94868c89-83c2-464b-929b-a1a8aa3c8487', 'clear'],
  ['bab4a63c-aed9-4cf5-a766-dfca5abac2bb', 'green'],
  ['55d920b0-5e8b-4f79-9ee9-91f868d9b421', 'amber'],
  ['939a9414-2ddd-4d32-a0cd-375ea402b003', 'amber+strict'],
  ['e828b379-4e03-4974-9ac4-e53a884c97c1', 'red'],
])

/** Kinds of definitions that say nothing of who may read: terms of use, and what a reader may do (PAP). */
const OTHER_KINDS = new Set(['statement', 'pap'])

/**
 * Objects that hold others, the outer ones first. The standard marks each object by itself; writers mark the report
 * alone, or the observed data alone, and leave what it holds unmarked.
 */
const HOLDERS = ['report', 'grouping', 'observed-data']

/** Ends of a connection: what stands for it is read out of them. */
const ENDS = ['src_ref', 'dst_ref']

/**
 * Returns the marking of an object: the strictest of what its `object_marking_refs`, its `granular_markings` and its labels
 * say. What says nothing has the marking of what holds it. A definition that is not there, or of a kind that is not
 * known, counts as the strictest, and so does a reference that is no text.
 * @param objects all that the document holds
 */
export function markingReader(objects: readonly Json[]): (object: Json) => Marking | undefined {
  const definitions = objects.filter(({ type }) => type === 'marking-definition')
  const known = new Map(
    definitions.map((definition) => [uuidOf(textOf(definition.id)), markingOfDefinition(definition)]),
  )
  const meant = (ref: unknown): Marking | undefined => {
    const uuid = uuidOf(textOf(ref))
    return FIXED.get(uuid) ?? (uuid !== '' && known.has(uuid) ? known.get(uuid) : 'red')
  }
  const own = (object: Json): Marking | undefined => {
    // A granular marking names a part of the object; what is made of it here is not taken apart, so it counts for all.
    const granular = membersOf(object.granular_markings).map((one) => (isObject(one) ? one.marking_ref : one))
    const refs = [...membersOf(object.object_marking_refs), ...granular.filter((ref) => ref !== undefined)]
    return strictest(...refs.map(meant), ...membersOf(object.labels).map((label) => markingOfTag(textOf(label))))
  }
  const held = new Map<string, Marking>()
  const ownOrHeld = (object: Json): Marking | undefined => own(object) ?? held.get(textOf(object.id))
  for (const kind of HOLDERS)
    for (const holder of objects.filter(({ type }) => type === kind)) {
      const marking = ownOrHeld(holder)
      if (marking === undefined) continue
      for (const id of membersOf(holder.object_refs).map(textOf)) held.set(id, strictest(held.get(id), marking)!)
    }
  const byId = new Map(objects.map((object) => [textOf(object.id), object]))
  return (object) => {
    if (object.type !== 'network-traffic') return ownOrHeld(object)
    const ends = ENDS.map((end) => byId.get(textOf(object[end]))).filter((end) => end !== undefined)
    return strictest(ownOrHeld(object), ...ends.map(ownOrHeld))
  }
}

const uuidOf = (id: string): string => id.replace(/^marking-definition--/i, '').toLowerCase()

/** The marking of one definition; undefined when the definition does not restrict readers. */
function markingOfDefinition(definition: Json): Marking | undefined {
  const kind = textOf(definition.definition_type).trim().toLowerCase()
  const inside = isObject(definition.definition) ? definition.definition : {}
  const extensions = isObject(definition.extensions) ? Object.values(definition.extensions).filter(isObject) : []
  const words = [textOf(inside.tlp), ...extensions.map((extension) => textOf(extension.tlp_2_0))].filter(Boolean)
  const names = [definition.name, inside.statement, definition.x_opencti_definition].map(textOf)
  const stated = strictest(
    ...words.map((word) => markingOfWord(word) ?? markingOfTag(word) ?? 'red'),
    ...names.map(markingOfTag),
  )
  return stated ?? (OTHER_KINDS.has(kind) ? undefined : 'red')
}
