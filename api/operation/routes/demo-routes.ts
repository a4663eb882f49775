/** The demonstration corpus: whether it is there, and loading it in the background (ADR 281). */

import { Type } from 'typebox'
import type { DemoLoader } from '../../../connectors/operations/demo-loads/port.ts'
import { ahead } from '../../../schemas/audit/action.ts'
import { type Route, reply, route } from '../../http/route.ts'

const common = { tag: 'Administration', access: 'auth_admin', scope: 'admin', path: '/api/admin/v1/demo' } as const

const Demo = Type.Object({
  state: Type.Enum(['none', 'loading', 'loaded'], {
    description:
      '`loading` until all entities are searchable, also while the load is interrupted; POST resumes an interrupted load.',
  }),
  entities: Type.Integer({ description: 'Number of searchable entities of the corpus; 0 if no corpus is loaded.' }),
  loaded: Type.Integer({ description: 'Number of reports of the corpus that are in the log.' }),
  total: Type.Integer({ description: 'Total number of reports of the corpus; 0 until known.' }),
})

export const demoRoutes = (demo: DemoLoader): Route[] => [
  route({
    ...common,
    method: 'get',
    id: 'getDemo',
    summary: 'Get the progress of loading the demonstration corpus.',
    examples: { words: { state: 'loaded' } },
    responses: { 200: Demo },
    handler: async () => reply(200, await demo.state()),
  }),
  route({
    ...common,
    method: 'post',
    id: 'loadDemo',
    summary: 'Load the demonstration corpus in the background; other reports stay untouched. It is loaded only once.',
    examples: { words: { state: 'loading' } },
    audit: ahead('demo.load', null),
    responses: { 202: Demo },
    handler: async () => reply(202, await demo.start()),
  }),
]
