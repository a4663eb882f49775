import type { EdgeItem, EdgeList, ListedItem } from '../../connectors/edge-list/port.ts'
import { askedAs, askedOf } from '../../schemas/intelligence/reputation/asked.ts'
import { type Deciding, decides, entityAbove, ownEntity } from '../../schemas/intelligence/reputation/who-decides.ts'
import { keptAnswers } from './kept-answers.ts'
import type { Answers, Json, Listed, Places, Unlisted } from './port.ts'

/** A type in front of a value. */
const TYPED = /^([a-z0-9-]{1,64}):/

type View = Deciding & Pick<EdgeItem, 'tags'>

const viewOf = ({ id, type, value, reputation, accuracy, tags }: ListedItem): View => ({
  entityId: id,
  type,
  value,
  reputation,
  accuracy,
  tags,
  // A list says nothing of marks: an item decides by its reputation alone.
  wellKnown: false,
  covered: false,
  covers: false,
})

const namedOf = ({ entityId: id, type, value }: View) => ({ id, type, value })

export type AnswersOptions = {
  /** The list of the moment; null: there is none yet. */
  list: () => Pick<EdgeList, 'items' | 'around' | 'isAboveListed' | 'holdsListed' | 'state'> | null
  isStale: () => boolean
  ageSeconds: () => number | null
}

/** The same as JSON.stringify writes, in half of the time: what is between the texts is known. */
function textOf({ value, id, type, reputation, accuracy, tags, by }: Listed): string {
  const own = id === undefined ? '' : `,"id":"${id}","type":"${type}"`
  const above = by === undefined ? '' : `,"by":${JSON.stringify(by)}`
  return `{"value":${JSON.stringify(value)},"listed":true${own},"reputation":${reputation},"accuracy":${accuracy},"tags":${JSON.stringify(tags)}${above}}`
}

/** What is known of a key: a value as `askedOf` reads it, or one with its type in front. */
function askedIn(key: string) {
  const type = TYPED.exec(key)?.[1]
  const typed = type === undefined ? null : askedAs(type, key.slice(type.length + 1))
  return typed ?? askedOf(key)
}

/**
 * The one answer of all protocols: what a list says of a value, decided as a reputation is (decisions 18.3, 19.3).
 * `changed` is called after each change of the list.
 */
export function edgeAnswers({ list, isStale, ageSeconds }: AnswersOptions): Answers & Places & { changed(): void } {
  const kept = keptAnswers()

  function answer(key: string): Listed | Unlisted {
    const from = list()
    if (from === null) return { value: key, listed: false }
    const asked = askedIn(key)
    const views = { get: (value: string) => from.items(value).map(viewOf) }
    const own = ownEntity(asked, views)
    const by = own !== null && decides(own) ? null : aboveOf()
    if (own === null && by === null) return { value: key, listed: false }
    const { reputation, accuracy, tags } = (by ?? own)!
    if (own === null) return { value: key, listed: true, reputation, accuracy, tags, by: namedOf(by!) }
    const { entityId: id, type } = own
    if (by === null) return { value: key, listed: true, id, type, reputation, accuracy, tags }
    return { value: key, listed: true, id, type, reputation, accuracy, tags, by: namedOf(by) }

    function aboveOf(): View | null {
      const { within, levels } = asked.above
      if (within === null && levels.length === 0) return null
      return entityAbove(asked, within === null ? [] : from!.around(within), views)
    }
  }

  function written(key: string): Json | null {
    const found = answer(key)
    if (!found.listed) return null
    const text = textOf(found)
    return { text, bytes: Buffer.byteLength(text) }
  }

  return {
    isStale,
    ageSeconds,
    answer,
    json: (key) => kept.of(key, written),
    size: () => list()?.state().items ?? 0,
    sequence: () => list()?.state().sequence ?? 0,
    isAboveListed: (name) => list()?.isAboveListed(name) ?? false,
    holdsListed: (prefix) => list()?.holdsListed(prefix) ?? false,
    changed: () => kept.clear(),
  }
}
