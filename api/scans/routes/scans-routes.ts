/** Scans of addresses and names (specification 4.3, decisions 7). */

import { Type } from 'typebox'
import { change } from '../../../schemas/audit/action.ts'
import { idParam, pagesOf, paging } from '../../http/fields/common.ts'
import { type Route, reply, route } from '../../http/route.ts'
import type { ScanService } from '../services/scans-service.ts'
import { AcceptedScan, MetScan, ScanBody, ScanRecord, Status, shownScan, shownTask } from './scan-schema.ts'

const Listed = Type.Object({ items: Type.Integer(), pages: Type.Integer(), results: Type.Array(ScanRecord) })

export const scanRoutes = (scans: ScanService): Route[] => [
  route({
    method: 'post',
    path: '/api/ingest/v1/scan',
    id: 'startScan',
    summary: 'Scan an IP address or a host name. For a target that already has a task, the existing task is returned.',
    examples: {
      body: {
        target: 'www.example.com',
        webhook: { url: 'https://hooks.example.com/scans', headers: [{ key: 'x-ticket', value: 'SOC-4711' }] },
      },
    },
    audit: change('scan.request', 'scan_tasks', 'made'),
    tag: 'Ingest',
    access: 'user',
    scope: 'ingest',
    body: ScanBody,
    responses: { 200: MetScan, 202: AcceptedScan },
    limit: { service: 'ingest-api', features: ['scan_per_minute'] },
    handler: async ({ user, body }) => {
      const { created, task } = await scans.ask(user, body)
      const shown = { ...task, ...shownTask(task) }
      return created ? reply(202, shown) : reply(200, shown)
    },
  }),
  route({
    method: 'get',
    path: '/api/ingest/v1/scans',
    id: 'listScans',
    summary: "List the caller's own scans, newest first.",
    tag: 'Ingest',
    access: 'user',
    scope: 'ingest',
    query: Type.Object({ ...paging.properties, status: Type.Optional(Status) }),
    responses: { 200: Listed },
    handler: async ({ user, query: { status, ...page } }) => {
      const { items, scans: found } = await scans.list({ status, userId: user.userId }, page)
      return reply(200, { items, pages: pagesOf(items, page.limit), results: found.map(shownScan) })
    },
  }),
  route({
    method: 'get',
    path: '/api/ingest/v1/scan/{id}',
    id: 'getScan',
    summary: "Get one of the caller's scans.",
    codes: ['not_found'],
    tag: 'Ingest',
    access: 'user',
    scope: 'ingest',
    params: idParam,
    responses: { 200: ScanRecord },
    handler: async ({ user, params }) => reply(200, shownScan(await scans.own(user, params.id))),
  }),
]
