import { isObject, type Json, membersOf, objectsOf, textOf } from '../document.ts'
import { type Marking, markingOfTag, strictest } from '../marking.ts'
import { isDeleted } from './flags.ts'

/** Distribution 5: as the event has it. */
const INHERITED = '5'

/**
 * Distributions by the nearest marking of the Traffic Light Protocol. The organisation alone (0) and a sharing group (4)
 * go to nobody else; a community (1) and those connected to it (2) are no public.
 */
const DISTRIBUTIONS: ReadonlyMap<string, Marking> = new Map([
  ['0', 'amber+strict'],
  ['1', 'amber'],
  ['2', 'amber'],
  ['3', 'clear'],
  ['4', 'amber+strict'],
])

/**
 * What an event, object or attribute says by itself of who may read it: the strictest of its distribution, its tags and
 * the clusters of its galaxies. A distribution that is not known counts as the strictest.
 */
export function ownMarking(holder: Json): Marking | undefined {
  const clusters = clustersOf(holder)
  const tags = tagsOf(holder).map(markingOfTag)
  return strictest(distributionOf(holder), ...clusters.map(distributionOf), ...tags)
}

const clustersOf = (holder: Json): Json[] =>
  objectsOf(holder.Galaxy).flatMap((galaxy) => objectsOf(galaxy.GalaxyCluster).filter((one) => !isDeleted(one)))

/**
 * The galaxies of an event, object or attribute as tags: `misp-galaxy:threat-actor="APT 29"`. Most exports have these tags
 * beside the clusters, and some the clusters alone.
 */
export const galaxyTagsOf = (holder: Json): string[] =>
  clustersOf(holder)
    .map(({ tag_name: tag, type, value }) => {
      const [kind, name] = [textOf(type), textOf(value)]
      return textOf(tag) || (kind === '' || name === '' ? '' : `misp-galaxy:${kind}="${name}"`)
    })
    .filter((tag) => tag !== '')

/** Fields with tags; those after the first are of older exports, which put each tag into a relation to it. */
const TAGGED = ['Tag', 'EventTag', 'AttributeTag']

/** The names of the tags of an event, object or attribute, as objects, inside of relations, or as plain texts. */
export const tagsOf = (holder: Json): string[] =>
  TAGGED.flatMap((field) => membersOf(holder[field]))
    .map((tag) => (isObject(tag) && isObject(tag.Tag) ? tag.Tag : tag))
    .map((tag) => textOf(isObject(tag) ? tag.name : tag))
    .filter((name) => name !== '')

function distributionOf({ distribution }: Json): Marking | undefined {
  if (distribution === undefined || distribution === null) return undefined
  const text = typeof distribution === 'string' ? distribution.trim() : textOf(distribution) || 'none known'
  return text === '' || text === INHERITED ? undefined : (DISTRIBUTIONS.get(text) ?? 'red')
}
