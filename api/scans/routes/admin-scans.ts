/** Everybody's scans, for administrators. */

import { Type } from 'typebox'
import { change } from '../../../schemas/audit/action.ts'
import { idParam, pagesOf, paging } from '../../http/fields/common.ts'
import { type Route, reply, route } from '../../http/route.ts'
import type { ScanService } from '../services/scans-service.ts'
import { AdminScanRecord, Priority, Status, shownToAdmin } from './scan-schema.ts'

const PATH = '/api/ingest/v1/admin/scans'
const common = { tag: 'Administration', access: 'auth_admin', scope: 'admin' } as const

const Listed = Type.Object({ items: Type.Integer(), pages: Type.Integer(), results: Type.Array(AdminScanRecord) })

export const adminScanRoutes = (scans: ScanService): Route[] => [
  route({
    ...common,
    method: 'get',
    path: PATH,
    id: 'listAllScans',
    summary: 'List scans, newest first.',
    query: Type.Object({
      ...paging.properties,
      status: Type.Optional(Status),
      priority: Type.Optional(Priority),
    }),
    responses: { 200: Listed },
    handler: async ({ query }) => {
      const { status, priority, ...page } = query
      const { items, scans: found } = await scans.list({ status, priority }, page)
      return reply(200, { items, pages: pagesOf(items, page.limit), results: found.map(shownToAdmin) })
    },
  }),
  route({
    ...common,
    method: 'get',
    path: `${PATH}/{id}`,
    id: 'getAnyScan',
    summary: 'Get any user’s scan.',
    codes: ['not_found'],
    params: idParam,
    responses: { 200: AdminScanRecord },
    handler: async ({ params }) => reply(200, shownToAdmin(await scans.any(params.id))),
  }),
  route({
    ...common,
    method: 'post',
    path: `${PATH}/{id}/retry`,
    id: 'retryScan',
    summary: 'Queue a finished scan again.',
    codes: ['not_found', 'conflict'],
    audit: change('scan.retry', 'scan_tasks', { param: 'id' }),
    params: idParam,
    responses: { 200: AdminScanRecord },
    handler: async ({ params }) => reply(200, shownToAdmin(await scans.retry(params.id))),
  }),
]
