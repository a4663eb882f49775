/** What belongs to a record that one analyst owns: items of a watchlist, messages of a conversation. */

import { type TProperties, Type } from 'typebox'
import type { Entry } from '../../connectors/casework/port.ts'
import type { CaseworkKind, Content } from '../../schemas/casework.ts'
import { CLOSED, idParam, pagesOf, paging, uuid } from '../fields.ts'
import { type Route, reply, route } from '../route.ts'
import type { CaseworkService } from '../services/casework.ts'
import { CASEWORK, type Common, iso, listOf, moment, optionals } from './owned-records.ts'

export type EntryKind = {
  /** Of the record that they belong to. */
  kind: CaseworkKind
  /** Path of the record, and last part of theirs. */
  of: string
  path: string
  required: TProperties
  optional: TProperties
  defaults: Content
  check: (given: Content) => void
}

const shownEntry = ({ id, content, createdAt }: Entry) => ({ id, ...content, created_at: iso(createdAt) })

/** POST and GET of what belongs to a record. */
export function entryRoutes(casework: CaseworkService, common: Common, given: EntryKind): Route[] {
  const { kind, of, path, required, defaults, check } = given
  const New = Type.Object({ ...required, ...optionals(given.optional) }, CLOSED)
  const Shown = Type.Object({ id: uuid, ...New.properties, created_at: moment })
  const base = `${CASEWORK}/${of}/{id}/${path}`
  return [
    route({
      ...common,
      method: 'post',
      path: base,
      summary: `Add to a ${kind} of the caller. 409 when it is full.`,
      params: idParam,
      body: New,
      responses: { 201: Shown },
      handler: async ({ user, params, body }) => {
        check(body)
        return reply(201, shownEntry(await casework.addEntry(user, kind, params.id, { ...defaults, ...body })))
      },
    }),
    route({
      ...common,
      method: 'get',
      path: base,
      summary: `The ${path} of a ${kind} of the caller.`,
      params: idParam,
      query: paging,
      responses: { 200: listOf(Shown, 'oldest first') },
      handler: async ({ user, params, query }) => {
        const { entries, items } = await casework.listEntries(user, kind, params.id, query)
        return reply(200, { items, pages: pagesOf(items, query.limit), results: entries.map(shownEntry) })
      },
    }),
  ]
}

/** GET and DELETE of one thing that belongs to a record. */
export function oneEntryRoutes(casework: CaseworkService, common: Common, { kind, of, path, ...given }: EntryKind) {
  const params = Type.Object({ id: uuid, itemId: uuid })
  const entry = { ...common, path: `${CASEWORK}/${of}/{id}/${path}/{itemId}`, params }
  const Shown = Type.Object({ id: uuid, ...given.required, ...optionals(given.optional), created_at: moment })
  return [
    route({
      ...entry,
      method: 'get',
      summary: `One of the ${path} of a ${kind} of the caller.`,
      responses: { 200: Shown },
      handler: async ({ user, params: at }) =>
        reply(200, shownEntry(await casework.entry(user, kind, at.id, at.itemId))),
    }),
    route({
      ...entry,
      method: 'delete',
      summary: `Remove one of the ${path} of a ${kind} of the caller.`,
      responses: { 204: null },
      handler: async ({ user, params: at }) => {
        await casework.removeEntry(user, kind, at.id, at.itemId)
        return reply(204)
      },
    }),
  ]
}
