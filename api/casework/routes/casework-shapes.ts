/** Records of casework and what belongs to them, as callers see them: snake_case, lists as plain arrays (decisions 13.1). */

import { type TObject, type TProperties, Type } from 'typebox'
import type { CaseworkRecord, Entry } from '../../../connectors/postgres/casework/port.ts'
import type { CaseworkKind, Content, EntryKind } from '../../../schemas/casework/casework.ts'
import type { TeamService } from '../../accounts/services/team/team-service.ts'
import { uuid } from '../../http/fields/common.ts'
import type { Examples } from '../../http/fields/examples.ts'
import type { Json } from '../../http/fields/json.ts'
import { reply } from '../../http/route.ts'

export const CASEWORK = '/api/casework/v1'

/** Of all routes of casework: who may call. */
export type Common = {
  tag: 'Casework'
  access: 'authenticated'
  scope: 'casework'
  permit: ReturnType<TeamService['permit']>
}

export type EntrySpec = {
  entries: EntryKind
  /** Names of its operations: `addNote`, `listNotes`. */
  ids: { add: string; list: string }
  /** Of adding one, in the audit log: `case.note`. */
  action: string
  /** Of adding one. */
  examples?: Examples
  /** Of the record that they belong to, and the path of such records. */
  kind: CaseworkKind
  of: string
  /** Last part of the path. */
  path: string
  /** Field that names the record. */
  parent: 'case_id' | 'watchlist_id' | 'conversation_id'
  /** What a new one must say, and what it may. */
  required: TProperties
  optional: TProperties
  /** What is shown of its content. */
  shown: TProperties
  /** What is kept of what was given. Throws the refusal of what a schema cannot say. */
  content: (given: Content) => Content
  /** The field that a record holds once. Entries are removed by it then, otherwise by their id. */
  key?: string
}

export type OwnedKind = {
  kind: CaseworkKind
  /** In the names of its operations: `createCase`, `listCases`. */
  name: string
  names: string
  /** An example of a new one. */
  example: Json
  path: string
  /** What a new record must say, and what it may. */
  required: TProperties
  optional: TProperties
  /** Throws the refusal of what a schema cannot say. */
  check?: (given: Content) => void
  /** What a list may be narrowed by. */
  filters: TProperties
  /** Shown with every single record. */
  children: readonly EntrySpec[]
  /** Whether lists show them too. */
  childrenInLists?: true
}

export const moment = Type.String({ format: 'date-time' })

/** A case, or none. */
export const caseId = Type.Union([uuid, Type.Null()], { description: 'id of a case of the caller; null: none' })

export const iso = (ms: number): string => new Date(ms).toISOString()

export const optionals = (properties: TProperties): TProperties =>
  Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, Type.Optional(schema)]))

/** Lines of text: control characters other than tabs and line ends have no place. */
export const lines = (minLength: number, maxLength: number) =>
  Type.String({ minLength, maxLength, pattern: '^[^\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f]*$' })

/** `page` and `limit` of a list of casework: clients that know no pages get all that they may have in one. */
export const caseworkPaging = {
  page: Type.Integer({ default: 1, minimum: 1, maximum: 1_000_000_000 }),
  limit: Type.Integer({ default: 200, minimum: 1, maximum: 200 }),
}

/** How a list says how many there are in all. */
export const TOTAL = 'The header `x-total-count` holds the total number.'

/** A page of a list. */
export const replyPage = <T>(results: T[], items: number) => reply(200, results, { 'x-total-count': String(items) })

export const entryShape = ({ entries, parent, shown }: EntrySpec): TObject =>
  Type.Object({
    id: uuid,
    [parent]: uuid,
    ...(entries === 'turn'
      ? { case_id: caseId, user_id: uuid, seq: Type.Integer({ description: 'position in the conversation, from 0' }) }
      : {}),
    ...shown,
    created_at: moment,
  })

export const shownEntry = ({ entries, parent }: EntrySpec, record: CaseworkRecord, entry: Entry) => ({
  id: entry.id,
  [parent]: record.id,
  ...(entries === 'turn' ? { case_id: record.caseId, user_id: record.owner.userId, seq: entry.seq } : {}),
  ...entry.content,
  created_at: iso(entry.createdAt),
})

const ofConversations = {
  case_id: caseId,
  message_count: Type.Integer({ description: 'number of messages and turns; equals the `seq` of the next turn' }),
  last_message_at: Type.Union([moment, Type.Null()]),
}

/** A record, without what belongs to it. */
export const recordShape = ({ kind, required, optional }: OwnedKind): TProperties => ({
  id: uuid,
  customer_id: uuid,
  user_id: uuid,
  ...required,
  ...optional,
  ...(kind === 'conversation' ? ofConversations : {}),
  created_at: moment,
  updated_at: moment,
})

export const shownRecord = (record: CaseworkRecord) => ({
  id: record.id,
  ...record.content,
  ...(record.kind === 'conversation'
    ? {
        case_id: record.caseId,
        message_count: record.nextSeq,
        last_message_at: record.lastEntryAt === null ? null : iso(record.lastEntryAt),
      }
    : {}),
  customer_id: record.owner.customerId,
  user_id: record.owner.userId,
  created_at: iso(record.createdAt),
  updated_at: iso(record.updatedAt),
})
