import { type Json, textOf, textsOf } from '../document.ts'
import { association } from '../entity.ts'
import { type FeedItem, type FeedOptions, rejected } from '../item.ts'
import { type LinkEnd, linkedItems, type MarkedLink } from '../linked.ts'
import { type Marking, strictest } from '../marking.ts'
import { circumstancesOf, momentOf } from './circumstances.ts'

/**
 * A STIX sighting: the entity was seen, at `last_seen` where it says so, with what was observed beside it. A count of 0
 * says that it was looked for and not seen: nothing is made of it.
 */
export function* readSighting(
  sighting: Json,
  ends: ReadonlyMap<string, LinkEnd>,
  byId: ReadonlyMap<string, Json>,
  markingOf: (object: Json) => Marking | undefined,
  options: FeedOptions,
): Generator<FeedItem> {
  if (textOf(sighting.count).trim() === '0') return
  const of = textOf(sighting.sighting_of_ref)
  const seen = ends.get(of)
  if (seen === undefined) {
    yield rejected(0, `a sighting of ${of}, which is not an entity`, textOf(sighting.id))
    return
  }
  const marking = strictest(markingOf(sighting), seen.marking)
  const links = textsOf(sighting.observed_data_refs).flatMap((id): MarkedLink[] => {
    const data = byId.get(id)
    if (data === undefined) return []
    const own = strictest(marking, markingOf(data))
    const observed = textsOf(data.object_refs).map((ref) => ends.get(ref))
    return observed
      .filter((end) => end !== undefined)
      .map((end) => ({ to: association(end.named), marking: strictest(own, end.marking) }))
  })
  const seenAt = momentOf(sighting.last_seen) ?? momentOf(sighting.first_seen)
  const circumstances = { ...circumstancesOf(sighting, marking), ...(seenAt === undefined ? {} : { seenAt }) }
  const tags = [...options.tags, ...textsOf(sighting.labels)]
  yield* linkedItems(seen.named, { reputation: null, tags }, links, circumstances)
}
