/** What may belong to records of casework: its fields, its bounds, and what is kept of it. */

import { Type } from 'typebox'
import {
  type Content,
  ITEM_KINDS,
  MAX_ITEM_SELECTOR_BYTES,
  MAX_PINNED_VALUE,
  MAX_TURN_BYTES,
  MESSAGE_ROLES,
  typeOfId,
} from '../../../schemas/casework/casework.ts'
import { readWatchItem } from '../../../schemas/casework/watch.ts'
import { definitionOf } from '../../../schemas/intelligence/entities/catalogue.ts'
import { invalid } from '../../http/errors.ts'
import { entityId, text } from '../../http/fields/common.ts'
import { type EntrySpec, lines } from './casework-shapes.ts'

const itemFields = {
  kind: Type.Enum([...ITEM_KINDS]),
  value: Type.Union([text(1, 2_048), Type.Record(Type.String(), Type.Unknown())], {
    description: `what is watched: an entity id, a value, a tag, an entity type, a network or a domain name; of the kind \`selector\` a selector as object, at most ${MAX_ITEM_SELECTOR_BYTES} bytes; of the kind \`match\` one without \`country\`, \`asn\`, \`seenWithin\` and \`wellKnown\`, or \`{}\` for every match of your telemetry. Kept in normal form`,
  }),
}
const itemOptions = {
  type: Type.String({ maxLength: 64, description: 'watch only entities of this type' }),
  max_reputation: Type.Integer({
    minimum: -3,
    maximum: 3,
    description: 'watch only entities at or below this reputation',
  }),
}

export const ITEMS: EntrySpec = {
  entries: 'item',
  ids: { add: 'addWatchlistItem', list: 'listWatchlistItems' },
  action: 'watchlist.add',
  examples: { body: { kind: 'value', value: '203.0.113.7', type: 'ip', max_reputation: -1 } },
  kind: 'watchlist',
  of: 'watchlists',
  path: 'items',
  parent: 'watchlist_id',
  required: itemFields,
  optional: itemOptions,
  shown: {
    ...itemFields,
    type: Type.Optional(itemOptions.type),
    max_reputation: Type.Optional(itemOptions.max_reputation),
  },
  content: (given) => {
    const found = readWatchItem(given)
    if (!found.ok) throw invalid(found.param, found.message)
    return found.item
  },
}

const message = { content: lines(1, 20_000), role: Type.Enum([...MESSAGE_ROLES]) }

export const MESSAGES: EntrySpec = {
  entries: 'message',
  ids: { add: 'addMessage', list: 'listMessages' },
  action: 'conversation.add',
  examples: { body: { content: 'It scans for open mail relays.', role: 'user' } },
  kind: 'conversation',
  of: 'conversations',
  path: 'messages',
  parent: 'conversation_id',
  required: { content: message.content },
  optional: { role: message.role },
  shown: message,
  content: (given) => ({ role: 'user', ...given }),
}

/** What a model wrote: everything but the NUL, which the store cannot hold. */
const modelText = (maxLength: number) => Type.String({ maxLength, pattern: '^[^\\u0000]*$' })

const Tool = Type.Object(
  { name: text(1, 200), args: modelText(20_000) },
  { additionalProperties: false, description: 'one tool call of the turn' },
)
const turn = {
  question: lines(1, 20_000),
  answer: modelText(100_000),
  tools: Type.Array(Tool, { maxItems: 64 }),
}

export const TURNS: EntrySpec = {
  entries: 'turn',
  ids: { add: 'addTurn', list: 'listTurns' },
  action: 'conversation.add',
  examples: { words: { name: 'lookup' } },
  kind: 'conversation',
  of: 'conversations',
  path: 'turns',
  parent: 'conversation_id',
  required: { question: turn.question },
  optional: { answer: turn.answer, tools: turn.tools },
  shown: turn,
  content: (given) => {
    if ((given.question as string).trim() === '') throw invalid('question', 'is blank')
    const kept = { answer: '', tools: [], ...given }
    if (Buffer.byteLength(JSON.stringify(kept)) > MAX_TURN_BYTES)
      throw invalid('answer', `the turn exceeds ${MAX_TURN_BYTES} bytes`)
    return kept
  },
}

const note = { body: lines(1, 10_000) }

export const NOTES: EntrySpec = {
  entries: 'note',
  ids: { add: 'addNote', list: 'listNotes' },
  action: 'case.note',
  kind: 'case',
  of: 'cases',
  path: 'notes',
  parent: 'case_id',
  required: note,
  optional: {},
  shown: note,
  content: (given) => {
    if ((given.body as string).trim() === '') throw invalid('body', 'is blank')
    return given
  },
}

const pinOptions = {
  entity_type: Type.String({ maxLength: 64, description: 'default: the type in `entity_id`' }),
  entity_value: Type.String({
    maxLength: 65_536,
    pattern: '^[^\\u0000]*$',
    description: `value shown with the id; cut to ${MAX_PINNED_VALUE} characters`,
  }),
  note: lines(0, 2_000),
}

export const PINS: EntrySpec = {
  entries: 'entity',
  ids: { add: 'pinEntity', list: 'listPinnedEntities' },
  action: 'case.pin',
  kind: 'case',
  of: 'cases',
  path: 'entities',
  parent: 'case_id',
  key: 'entity_id',
  required: { entity_id: entityId },
  optional: pinOptions,
  shown: { entity_id: entityId, ...pinOptions },
  content: (given) => readPinnedEntity(given as Record<string, string>),
}

function readPinnedEntity({
  entity_id: id = '',
  entity_type: type,
  entity_value: value = '',
  note: why = '',
}: Record<string, string>): Content {
  const own = typeOfId(id)
  if (definitionOf(own) === undefined) throw invalid('entity_id', 'does not start with an entity type')
  if (type && type !== own) throw invalid('entity_type', 'differs from the type in entity_id')
  const kept = value.slice(0, MAX_PINNED_VALUE).toWellFormed()
  return { entity_id: id, entity_type: own, entity_value: kept, note: why }
}
