/** Routes of what belongs to a record that one analyst owns. */

import { type TObject, Type } from 'typebox'
import { change } from '../../../schemas/audit/action.ts'
import { CLOSED, entityId, idParam, uuid } from '../../http/fields/common.ts'
import { type Route, reply, route } from '../../http/route.ts'
import type { CaseworkEntryService } from '../services/casework-entries-service.ts'
import {
  CASEWORK,
  type Common,
  caseworkPaging,
  type EntrySpec,
  entryShape,
  optionals,
  replyPage,
  shownEntry,
  TOTAL,
} from './casework-shapes.ts'

/** POST and GET of what belongs to a record. */
export function entryRoutes(entries: CaseworkEntryService, common: Common, spec: EntrySpec): Route[] {
  const { kind, of, path, required, content, key } = spec
  const at = (id: string) => ({ kind, id, entries: spec.entries })
  const Shown = entryShape(spec)
  const all = { ...common, path: `${CASEWORK}/${of}/{id}/${path}`, params: idParam }
  return [
    route({
      ...all,
      method: 'post',
      id: spec.ids.add,
      summary: `Add to the ${path} of a ${kind} of the caller. 200 if the entry already exists, 409 if the ${kind} is full.`,
      codes: ['not_found', 'conflict'],
      examples: spec.examples ?? {},
      audit: change(spec.action, 'casework_entries', { param: 'id' }),
      body: Type.Object({ ...required, ...optionals(spec.optional) }, CLOSED),
      responses: { 200: Shown, 201: Shown },
      handler: async ({ user, params, body }) => {
        const kept = content(body)
        const once = key === undefined ? null : (kept[key] as string)
        const { record, entry, added } = await entries.add(user, at(params.id), kept, once)
        const shown = shownEntry(spec, record, entry)
        return added ? reply(201, shown) : reply(200, shown)
      },
    }),
    route({
      ...all,
      method: 'get',
      id: spec.ids.list,
      summary: `List the ${path} of a ${kind} of the caller. ${TOTAL}`,
      codes: ['not_found'],
      query: Type.Object(caseworkPaging),
      responses: { 200: Type.Array(Shown, { description: 'oldest first' }) },
      handler: async ({ user, params, query }) => {
        const { record, entries: page, items } = await entries.list(user, at(params.id), query)
        return replyPage(
          page.map((entry) => shownEntry(spec, record, entry)),
          items,
        )
      },
    }),
  ]
}

/** GET of one thing that belongs to a record. */
export function itemRoute(entries: CaseworkEntryService, common: Common, spec: EntrySpec, name: string): Route {
  const { kind, of, path } = spec
  return route({
    ...common,
    method: 'get',
    path: `${CASEWORK}/${of}/{id}/${path}/{itemId}`,
    params: Type.Object({ id: uuid, itemId: uuid }),
    id: name,
    summary: `Get one of the ${path} of a ${kind} of the caller.`,
    codes: ['not_found'],
    responses: { 200: entryShape(spec) },
    handler: async ({ user, params: { id, itemId } }) => {
      const { record, entry } = await entries.entry(user, { kind, id, entries: spec.entries }, itemId)
      return reply(200, shownEntry(spec, record, entry))
    },
  })
}

/** DELETE of one thing that belongs to a record, by its key or its id. */
export function entryRemoval(
  entries: CaseworkEntryService,
  common: Common,
  spec: EntrySpec,
  named: { id: string; action: string },
): Route {
  const { kind, of, path, key } = spec
  const name = key === undefined ? 'itemId' : 'entityId'
  return route({
    ...common,
    method: 'delete',
    path: `${CASEWORK}/${of}/{id}/${path}/{${name}}`,
    params: Type.Object({ id: uuid, [name]: key === undefined ? uuid : entityId }) as TObject,
    id: named.id,
    summary: `Remove one of the ${path} of a ${kind} of the caller.`,
    codes: ['not_found'],
    audit: change(named.action, 'casework_entries', { param: 'id' }),
    responses: { 204: null },
    handler: async ({ user, params }) => {
      const { id, [name]: which } = params as Record<string, string>
      const at = { kind, id: id!, entries: spec.entries }
      await entries.remove(user, at, key === undefined ? { id: which! } : { key: which! })
      return reply(204)
    },
  })
}
