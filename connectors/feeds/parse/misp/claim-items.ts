import { type Json, objectsOf, textOf } from '../document.ts'
import { association } from '../entity.ts'
import { type FeedItem, type FeedOptions, rejected } from '../item.ts'
import { linkedItems, type MarkedLink } from '../linked.ts'
import type { Marking } from '../marking.ts'
import type { Mapped } from './mapped.ts'
import { galaxyTagsOf, tagsOf } from './markings.ts'
import type { Claim } from './object.ts'
import { ownStatement } from './own-statement.ts'

/** Longest comment of an attribute, and longest title of an event, that is kept. */
const MAX_COMMENT = 1_024

const DIGEST = /^(md5|sha\d)/

const allTagsOf = (holder: Json): string[] => [...tagsOf(holder), ...galaxyTagsOf(holder)]

/** Makes the claims of an event, with everything that applies to the whole event. */
export function claimItems(event: Json, options: FeedOptions) {
  const eventTags = allTagsOf(event)
  const title = textOf(event.info).trim().slice(0, MAX_COMMENT)

  function itemsOf(
    mapped: Mapped,
    malicious: boolean,
    source: Json,
    links: readonly MarkedLink[],
    marking: Marking | undefined,
  ): Generator<FeedItem> {
    const own = ownStatement(textOf(source.comment), malicious)
    const comment = own === null ? textOf(source.comment).trim().slice(0, MAX_COMMENT) : ''
    const attributes = {
      ...(title === '' ? {} : { threat: title }),
      ...(comment === '' ? {} : { text: comment }),
      ...mapped.attributes,
    }
    const objectTags = objectsOf(source.Attribute).flatMap(allTagsOf)
    const tags = [...options.tags, ...allTagsOf(source), ...objectTags, ...eventTags]
    const reputation = malicious ? (own?.reputation ?? options.reputation) : null
    return linkedItems(mapped, { attributes, reputation, tags }, links, marking === undefined ? {} : { marking })
  }

  return {
    /** One attribute, with what its own value names beside it. */
    *claim(claim: Claim, links: readonly MarkedLink[], marking: Marking | undefined): Generator<FeedItem> {
      const { attribute, mapped, malicious } = claim
      if ('reason' in mapped) {
        yield rejected(0, mapped.reason, `${textOf(attribute.type)} ${textOf(attribute.value)}`)
        return
      }
      const beside = mapped.beside.map((named): MarkedLink => ({ to: association(named), marking }))
      yield* itemsOf(mapped, malicious, attribute, [...beside, ...links], marking)
      yield* this.lost(claim)
    },
    /** A half of an attribute that is left out. */
    *lost({ attribute, mapped }: Claim): Generator<FeedItem> {
      if ('reason' in mapped || mapped.lost === undefined) return
      const [type, raw] = [textOf(attribute.type), textOf(attribute.value)]
      const part = { type: mapped.type, property: type }
      yield { ...rejected(0, `${mapped.lost}: the ${mapped.type} is imported without it`, `${type} ${raw}`), part }
    },
    /** The entity that stands for an object, with its other attributes beside it. */
    object(
      main: Mapped & { malicious: boolean },
      object: Json,
      links: readonly MarkedLink[],
      marking: Marking | undefined,
    ): Generator<FeedItem> {
      const beside = main.beside.map((named): MarkedLink => {
        const isPart = main.type === 'file' && DIGEST.test(named.type)
        return { to: association(named, isPart ? 'aggregation' : 'association'), marking }
      })
      return itemsOf(main, main.malicious, object, [...beside, ...links], marking)
    },
  }
}
