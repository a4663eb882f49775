import { type Json, textOf, textsOf } from '../document.ts'
import { related } from '../entity.ts'
import type { LinkEnd, MarkedLink } from '../linked.ts'
import { type Marking, strictest } from '../marking.ts'

/** References that are about the feed, or that are read for what they are. */
const NO_RELATION = new Set([
  'created_by_ref',
  'object_marking_refs',
  'object_refs',
  'observed_data_refs',
  'where_sighted_refs',
  'sighting_of_ref',
  'source_ref',
  'target_ref',
])

export const isRelationship = (object: Json): boolean => object.type === 'relationship'

/** Relations by the id of the object that states them: of relationship objects, and of references (`resolves_to_refs`). */
export function linksOf(
  objects: readonly Json[],
  ends: ReadonlyMap<string, LinkEnd>,
  markingOf: (object: Json) => Marking | undefined,
): Map<string, MarkedLink[]> {
  const links = new Map<string, MarkedLink[]>()
  const add = (source: string, target: string, called = '', own?: Marking) => {
    const [from, to] = [ends.get(source), ends.get(target)]
    if (from === undefined || to === undefined) return
    const link = { to: related(to.named, called), marking: strictest(own, from.marking, to.marking) }
    const known = links.get(source)
    if (known === undefined) links.set(source, [link])
    else known.push(link)
  }
  for (const object of objects) {
    if (isRelationship(object)) {
      const [source, target] = [textOf(object.source_ref), textOf(object.target_ref)]
      add(source, target, textOf(object.relationship_type), markingOf(object))
    } else for (const target of referencesOf(object)) add(textOf(object.id), target)
  }
  return links
}

const referencesOf = (object: Json): string[] =>
  Object.entries(object)
    .filter(([name]) => /_refs?$/.test(name) && !NO_RELATION.has(name))
    .flatMap(([, value]) => (Array.isArray(value) ? textsOf(value) : [textOf(value)]))

/** The ids that a relationship names and that stand for no entity. */
export const missingEnds = (relationship: Json, ends: ReadonlyMap<string, LinkEnd>): string[] =>
  ['source_ref', 'target_ref'].map((name) => textOf(relationship[name])).filter((id) => !ends.has(id))
