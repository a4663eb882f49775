import type { FeedFacts, FeedFormat, FeedItem } from '../../format.ts'
import { instant } from '../../text/instant.ts'
import { json, jsonText, jsonTexts } from '../../text/json.ts'
import { streamed } from '../../writer.ts'
import { OURS, uuids } from '../uuid.ts'
import { definitionOf, markingFor } from './marking.ts'
import { type Observable, objectLine, observableOf } from './observable.ts'
import { STIX_TYPES } from './reading.ts'
import { seenOnce } from './seen-once.ts'

/** By accuracy 0 to 3 (decisions 15.3). */
const CONFIDENCE = [0, 15, 50, 85] as const

const ourId = uuids(OURS)

/** The claim about a bad value. Its id is of the feed, so that readers of two feeds share none. */
function indicatorLine(facts: FeedFacts, item: FeedItem, pattern: string, marking: string): string {
  const first = instant(item.firstSeen)
  const last = instant(Math.max(item.firstSeen, item.lastSeen))
  // STIX refuses empty lists.
  const labels = item.tags.length === 0 ? '' : `,"labels":${jsonTexts(item.tags)}`
  const members =
    `"created":"${first}","modified":"${last}","name":${jsonText(item.value)}` +
    `,"description":"reputation ${item.reputation}, accuracy ${item.accuracy}"` +
    `,"indicator_types":["malicious-activity"],"pattern":${jsonText(pattern)},"pattern_type":"stix"` +
    `,"valid_from":"${first}","confidence":${CONFIDENCE[item.accuracy] ?? 0}${labels},"object_marking_refs":["${marking}"]`
  return objectLine('indicator', `indicator--${ourId(`${facts.id} ${item.entityId}`)}`, members)
}

/**
 * A bundle of STIX 2.1 (decisions 15.3): an observable for each item, and an indicator where the reputation is below 0.
 * An observable stands once, though a domain and a host name may be the same one.
 */
export const stix: FeedFormat = {
  name: 'stix',
  mediaType: 'application/stix+json;version=2.1',
  extension: 'json',
  types: STIX_TYPES,
  write: streamed(STIX_TYPES, (facts) => {
    const marking = markingFor(facts.isPublic)
    const isNew = seenOnce()
    const observableLine = ({ type, id, properties }: Observable): string =>
      objectLine(type, id, `${properties},"object_marking_refs":["${marking.id}"]`)
    const definition = objectLine('marking-definition', marking.id, json(definitionOf(marking)).slice(1, -1))
    return {
      begin: `{"type":"bundle","id":"bundle--${ourId(facts.id)}","objects":[\n${definition}`,
      say: (item) => {
        const observable = observableOf(item.type, item.value)
        if (observable === null) return null
        const stands = isNew(item) ? `,\n${observableLine(observable)}` : ''
        if (item.reputation >= 0) return stands
        return `${stands},\n${indicatorLine(facts, item, observable.pattern, marking.id)}`
      },
      end: () => '\n]}\n',
    }
  }),
}
