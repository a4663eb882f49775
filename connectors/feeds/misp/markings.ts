import { type Json, objectsOf, textOf } from '../document.ts'
import { type Marking, markingOfTag, strictest } from '../marking.ts'

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
  const clusters = objectsOf(holder.Galaxy).flatMap((galaxy) => objectsOf(galaxy.GalaxyCluster))
  const tags = objectsOf(holder.Tag).map((tag) => markingOfTag(textOf(tag.name)))
  return strictest(distributed(holder), ...clusters.map(distributed), ...tags)
}

function distributed({ distribution }: Json): Marking | undefined {
  const text = textOf(distribution).trim()
  return text === '' || text === INHERITED ? undefined : (DISTRIBUTIONS.get(text) ?? 'red')
}
