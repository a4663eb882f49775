/** The six routes that every kind of record has which one analyst owns. */

import { type TProperties, Type } from 'typebox'
import type { CaseworkRecord, Entry, RecordFilter } from '../../../connectors/postgres/casework/port.ts'
import { change } from '../../../schemas/audit/action.ts'
import { CLOSED, idParam } from '../../http/fields/common.ts'
import { type Route, reply, route } from '../../http/route.ts'
import type { CaseworkEntryService } from '../services/casework-entries-service.ts'
import type { CaseworkService } from '../services/casework-service.ts'
import {
  CASEWORK,
  type Common,
  caseId,
  caseworkPaging,
  entryShape,
  type OwnedKind,
  optionals,
  recordShape,
  replyPage,
  shownEntry,
  shownRecord,
  TOTAL,
} from './casework-shapes.ts'

export type CaseworkServices = { casework: CaseworkService; entries: CaseworkEntryService }

/** POST, GET of all, GET, PUT, PATCH and DELETE of one kind. */
export function ownedRoutes({ casework, entries }: CaseworkServices, common: Common, given: OwnedKind): Route[] {
  const { kind, name, path, required, filters, children, childrenInLists } = given
  const examples = { body: given.example }
  const audited = (action: 'change' | 'delete') => change(`${kind}.${action}`, 'casework_records', { param: 'id' })
  const check = given.check ?? (() => undefined)
  const optional: TProperties = { ...given.optional, ...(kind === 'conversation' ? { case_id: caseId } : {}) }
  const New = Type.Object({ ...required, ...optionals(optional) }, CLOSED)
  const Change = Type.Partial(Type.Object({ ...required, ...optional }), {
    ...CLOSED,
    minProperties: 1,
    description: 'fields that are not given stay unchanged',
  })
  const counted = childrenInLists && { item_count: Type.Integer({ description: 'all items of the watchlist' }) }
  const bare: TProperties = { ...recordShape(given), ...counted }
  const belongings = Object.fromEntries(
    children.map((spec) => [spec.path, Type.Array(entryShape(spec), { description: 'oldest first' })]),
  )
  const Shown = Type.Object({ ...bare, ...belongings })
  const Listed = childrenInLists ? Shown : Type.Object(bare)
  const base = `${CASEWORK}/${path}`
  const one = { ...common, path: `${base}/{id}`, params: idParam }

  const shown = (record: CaseworkRecord, own: readonly Entry[], items = own.length) => ({
    ...shownRecord(record),
    ...(childrenInLists ? { item_count: items } : {}),
    ...Object.fromEntries(
      children.map((spec) => [
        spec.path,
        own.filter((entry) => entry.kind === spec.entries).map((entry) => shownEntry(spec, record, entry)),
      ]),
    ),
  })
  const kinds = children.map((spec) => spec.entries)
  const whole = async (record: CaseworkRecord) =>
    shown(record, kinds.length === 0 ? [] : await entries.of(record, kinds))

  const changing = (method: 'put' | 'patch', id: string) =>
    route({
      ...one,
      method,
      id,
      summary: `Change a ${kind} of the caller. Fields that are not given stay unchanged.`,
      codes: ['not_found'],
      examples,
      audit: audited('change'),
      body: Change,
      responses: { 200: Shown },
      handler: async ({ user, params, body }) => {
        check(body)
        return reply(200, await whole(await casework.change(user, kind, params.id, body)))
      },
    })

  return [
    route({
      ...common,
      method: 'post',
      path: base,
      id: `create${name}`,
      summary: `Create a ${kind}. 409 if the quota is used up.`,
      codes: ['not_found', 'quota_exceeded'],
      examples,
      audit: change(`${kind}.make`, 'casework_records', 'made'),
      body: New,
      responses: { 201: Shown },
      handler: async ({ user, body }) => {
        check(body)
        return reply(201, shown(await casework.create(user, kind, body), []))
      },
    }),
    route({
      ...common,
      method: 'get',
      path: base,
      id: `list${given.names}`,
      summary: `List the caller’s own ${path}. ${TOTAL}`,
      query: Type.Object({ ...caseworkPaging, ...optionals(filters) }),
      responses: {
        200: Type.Array(Listed, { description: 'newest first; conversations by the latest message or turn' }),
      },
      handler: async ({ user, query: { page, limit, ...filter } }) => {
        const { records, items } = await casework.list(user, kind, filterOf(filter), { page, limit })
        if (!childrenInLists) return replyPage(records.map(shownRecord), items)
        const among = await entries.among(records, kinds)
        const results = records.map((record) =>
          shown(record, among.entries.get(record.id)!, among.counts.get(record.id)!),
        )
        return replyPage(results, items)
      },
    }),
    route({
      ...one,
      method: 'get',
      id: `get${name}`,
      summary: `Get a ${kind} of the caller${children.length === 0 ? '' : ', with its contents'}.`,
      codes: ['not_found'],
      responses: { 200: Shown },
      handler: async ({ user, params }) => reply(200, await whole(await casework.get(user, kind, params.id))),
    }),
    changing('put', `update${name}`),
    changing('patch', `change${name}`),
    route({
      ...one,
      method: 'delete',
      id: `delete${name}`,
      summary: `Delete a ${kind} of the caller, with its contents.`,
      codes: ['not_found'],
      audit: audited('delete'),
      responses: { 204: null },
      handler: async ({ user, params }) => {
        await casework.remove(user, kind, params.id)
        return reply(204)
      },
    }),
  ]
}

/** The word in place of a case for conversations about none. */
export const UNFILED = 'unfiled'

function filterOf({ status, case_id: about }: { status?: string; case_id?: string }): RecordFilter {
  return {
    ...(status === undefined ? {} : { status }),
    ...(about === undefined ? {} : { caseId: about === UNFILED ? null : about }),
  }
}
