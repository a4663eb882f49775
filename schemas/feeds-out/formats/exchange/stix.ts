import { stixBundle } from '../../../exchange/stix/bundle.ts'
import { SHARED } from '../../../exchange/stix/forms/observables.ts'
import { idSet } from '../../../exchange/stix/id-set.ts'
import { objectsOf } from '../../../exchange/stix/objects.ts'
import type { FeedFormat, FeedItem } from '../format.ts'
import { streamed } from '../writer.ts'

/** What a list says is of its items as they are: of their first life, and as old as they are. */
const versionOf = ({ lastSeen }: FeedItem) => ({ modified: lastSeen, life: 0, validUntil: null, revoked: false })

/**
 * A bundle of STIX 2.1 (decisions 15.3). An observable stands once, though a domain and a host name, or a file and its
 * digest, may be the same one.
 */
export const stix: FeedFormat = {
  name: 'stix',
  mediaType: 'application/stix+json;version=2.1',
  extension: 'json',
  readBy: 'stix2',
  types: 'any',
  saysMore: true,
  write: streamed('any', (facts) => {
    const observables = idSet()
    const { begin, add, end } = stixBundle(facts, facts.id)
    return {
      begin,
      say: (item) => {
        const objects = objectsOf(facts, item, versionOf(item))
        const first = objects[0]
        if (first === undefined) return null
        const stands = SHARED.has(item.type) && !observables.add(first.id)
        return add(stands ? objects.slice(1) : objects)
      },
      end: () => end,
    }
  }),
}
