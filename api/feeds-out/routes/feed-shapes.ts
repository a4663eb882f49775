/** Feeds and tokens as callers see them (decisions 11.1, 11.5). */

import { type Static, Type } from 'typebox'
import { MAX_ITEMS } from '../../../schemas/feeds-out/formats/format.ts'
import { SelectorBody } from '../../../schemas/intelligence/selectors/selector-schema.ts'
import { CLOSED, uuid } from '../../http/fields/common.ts'
import type { JsonObject } from '../../http/fields/json.ts'
import { readerGroups } from '../../http/fields/own-groups.ts'
import type { ShownFeed } from '../services/feeds-service.ts'

export const FEEDS = '/api/feeds/v1'

const MAX_NAME = 200

/** One line that is not blank. */
export const feedName = Type.String({
  minLength: 1,
  maxLength: MAX_NAME,
  pattern: '^[^\\u0000-\\u001f\\u007f]*[^\\u0000-\\u0020\\u007f][^\\u0000-\\u001f\\u007f]*$',
})

const nullable = <T extends Parameters<typeof Type.Optional>[0]>(schema: T, description: string) =>
  Type.Union([schema, Type.Null()], { description })

const guardNumbers = {
  loss: Type.Number({ minimum: 0, maximum: 1, description: 'share of the list that one change may remove' }),
  gain: Type.Number({ minimum: 1, description: 'factor by which one change may make the list grow' }),
  from: Type.Integer({ minimum: 0, maximum: MAX_ITEMS, description: 'the guard does not apply to shorter lists' }),
}

const GUARD_WORDS = 'larger changes within a minute are held until they are released; null: no change is held'

/** What may be changed. */
const definition = {
  name: feedName,
  description: Type.String({ maxLength: 2_000, pattern: '^[^\\u0000]*$' }),
  selector: SelectorBody,
  cap: nullable(Type.Integer({ minimum: 1, maximum: MAX_ITEMS }), 'maximum number of items; null: all'),
  guard: nullable(
    Type.Object(
      {
        loss: Type.Optional(guardNumbers.loss),
        gain: Type.Optional(guardNumbers.gain),
        from: Type.Optional(guardNumbers.from),
      },
      CLOSED,
    ),
    `${GUARD_WORDS}; members that are not given have their defaults`,
  ),
}

export const NewFeed = Type.Object(
  {
    name: definition.name,
    selector: definition.selector,
    description: Type.Optional(definition.description),
    cap: Type.Optional(definition.cap),
    guard: Type.Optional(definition.guard),
    groups: Type.Optional(readerGroups('the reader of the feed is in all of them; default: all groups of the caller')),
    open: Type.Optional(
      Type.Boolean({
        description: 'everybody may read the feed; requires the role `trusted` and groups ["public"]',
        default: false,
      }),
    ),
  },
  CLOSED,
)

export const ChangedFeed = Type.Object(
  {
    name: Type.Optional(definition.name),
    description: Type.Optional(definition.description),
    selector: Type.Optional(definition.selector),
    cap: Type.Optional(definition.cap),
    guard: Type.Optional(definition.guard),
  },
  { ...CLOSED, minProperties: 1 },
)

const moment = Type.String({ format: 'date-time' })
const size = Type.Integer({ minimum: 0 })

export const FeedAnswer = Type.Object({
  id: uuid,
  name: feedName,
  description: definition.description,
  selector: SelectorBody,
  groups: Type.Array(Type.String(), { description: 'sorted' }),
  open: Type.Boolean(),
  cap: definition.cap,
  guard: nullable(Type.Object(guardNumbers), GUARD_WORDS),
  state: Type.Enum(['building', 'live', 'held']),
  items: Type.Integer({ minimum: 0, description: 'in the list that readers get' }),
  sequence: Type.Integer({ minimum: 0, description: 'of the last delta' }),
  held: Type.Optional(
    Type.Object({ now: size, would: size }, { description: 'size of the held list now, and after a release' }),
  ),
  createdAt: moment,
  updatedAt: moment,
})

const iso = (ms: number): string => new Date(ms).toISOString()

/** An example of a feed. */
export const FEED_WORDS: JsonObject = {
  name: 'Hostile addresses',
  description: 'For the edge firewalls.',
  selector: {
    types: ['ip', 'cidr'],
    reputation: { lte: -2 },
    accuracy: { gte: 1 },
    seenWithin: '30d',
    wellKnown: false,
  },
  groups: ['public'],
  open: false,
  cap: 100000,
  guard: { loss: 0.5, gain: 4, from: 100 },
  state: 'live',
  items: 48211,
  sequence: 903117,
  held: { now: 48211, would: 1204 },
}

export const showFeed = ({ feed, status }: ShownFeed) => ({
  id: feed.id,
  name: feed.name,
  description: feed.description,
  selector: feed.selector as Static<typeof SelectorBody>,
  groups: [...feed.groups],
  open: feed.open,
  cap: feed.cap,
  guard: feed.guard,
  state: status.state,
  items: status.items,
  sequence: status.sequence,
  ...(status.held === null ? {} : { held: status.held }),
  createdAt: iso(feed.createdAt),
  updatedAt: iso(feed.updatedAt),
})
