/** The five routes that every kind of record has which one analyst owns. */

import { type TObject, type TProperties, Type } from 'typebox'
import type { CaseworkRecord } from '../../connectors/casework/port.ts'
import type { CaseworkKind, Content } from '../../schemas/casework.ts'
import { CLOSED, idParam, pagesOf, paging, uuid } from '../fields.ts'
import { type Route, reply, route } from '../route.ts'
import type { CaseworkService } from '../services/casework.ts'
import type { TeamService } from '../services/team.ts'

export type OwnedKind = {
  kind: CaseworkKind
  /** Last part of the path. */
  path: string
  /** What a new record must say, and what it may. */
  required: TProperties
  optional: TProperties
  /** Whether it may name a case. */
  linked?: true
  /** Throws the refusal of what a schema cannot say. */
  check?: (given: Content) => void
}

export const CASEWORK = '/api/casework/v1'

/** Of all routes of casework: who may call. */
export type Common = { tag: 'Casework'; access: 'authenticated'; permit: ReturnType<TeamService['permit']> }

export const moment = Type.String({ format: 'date-time' })
const caseId = { case_id: Type.Union([uuid, Type.Null()], { description: 'a case of the caller' }) }

export const iso = (ms: number): string => new Date(ms).toISOString()

const shown = ({ id, owner, content, caseId: case_id, createdAt, updatedAt }: CaseworkRecord, linked?: true) => ({
  id,
  ...content,
  ...(linked ? { case_id } : {}),
  customer_id: owner.customerId,
  user_id: owner.userId,
  created_at: iso(createdAt),
  updated_at: iso(updatedAt),
})

export const optionals = (properties: TProperties): TProperties =>
  Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, Type.Optional(schema)]))

/** A page of records. */
export const listOf = (record: TObject, order: string) =>
  Type.Object({
    items: Type.Integer({ description: 'all of them' }),
    pages: Type.Integer(),
    results: Type.Array(record, { description: order }),
  })

/** POST, GET of all, GET, PUT and DELETE of one kind. */
export function ownedRoutes(casework: CaseworkService, common: Common, given: OwnedKind): Route[] {
  const { kind, path, required, linked, check } = given
  const optional: TProperties = { ...given.optional, ...(linked ? caseId : {}) }
  const maybe = optionals(optional)
  const all = Type.Object({ ...required, ...optional })
  const New = Type.Object({ ...required, ...maybe }, CLOSED)
  const Change = Type.Partial(all, { ...CLOSED, minProperties: 1, description: 'what is not named stays' })
  const Shown = Type.Object({
    id: uuid,
    customer_id: uuid,
    user_id: uuid,
    ...all.properties,
    created_at: moment,
    updated_at: moment,
  })
  const base = `${CASEWORK}/${path}`
  return [
    route({
      ...common,
      method: 'post',
      path: base,
      summary: `Make a ${kind}. 409 when the quota is used up.`,
      body: New,
      responses: { 201: Shown },
      handler: async ({ user, body }) => {
        check?.(body)
        return reply(201, shown(await casework.create(user, kind, body), linked))
      },
    }),
    route({
      ...common,
      method: 'get',
      path: base,
      summary: `The caller’s own ${path}.`,
      query: paging,
      responses: { 200: listOf(Shown, 'newest first') },
      handler: async ({ user, query }) => {
        const { records, items } = await casework.list(user, kind, query)
        const results = records.map((record) => shown(record, linked))
        return reply(200, { items, pages: pagesOf(items, query.limit), results })
      },
    }),
    route({
      ...common,
      method: 'get',
      path: `${base}/{id}`,
      summary: `One ${kind} of the caller.`,
      params: idParam,
      responses: { 200: Shown },
      handler: async ({ user, params }) => reply(200, shown(await casework.get(user, kind, params.id), linked)),
    }),
    route({
      ...common,
      method: 'put',
      path: `${base}/{id}`,
      summary: `Change a ${kind} of the caller: what is not named stays.`,
      params: idParam,
      body: Change,
      responses: { 200: Shown },
      handler: async ({ user, params, body }) => {
        check?.(body)
        return reply(200, shown(await casework.change(user, kind, params.id, body), linked))
      },
    }),
    route({
      ...common,
      method: 'delete',
      path: `${base}/{id}`,
      summary: `Delete a ${kind} of the caller, with all that belongs to it.`,
      params: idParam,
      responses: { 204: null },
      handler: async ({ user, params }) => {
        await casework.remove(user, kind, params.id)
        return reply(204)
      },
    }),
  ]
}
