/** The demonstration corpus: whether it is there, and loading it in the background (ADR 142). */

import { Type } from 'typebox'
import type { DemoLoader } from '../../../connectors/operations/demo-loads/port.ts'
import { ApiError } from '../../http/errors.ts'
import { type Route, reply, route } from '../../http/route.ts'

const common = { tag: 'Administration', access: 'auth_admin', path: '/api/admin/v1/demo' } as const

const Demo = Type.Object({
  state: Type.Enum(['none', 'loading', 'loaded'], {
    description: 'loading: until all of it is in the answers, also while nobody goes on with it; POST goes on.',
  }),
  entities: Type.Integer({ description: 'Entities of the corpus; 0 without one.' }),
  loaded: Type.Integer({ description: 'Reports that are in the log.' }),
  total: Type.Integer({ description: 'Reports of the corpus; 0 until it is known.' }),
})

export const demoRoutes = (demo: DemoLoader): Route[] => [
  route({
    ...common,
    method: 'get',
    summary: 'How far the demonstration corpus is loaded.',
    responses: { 200: Demo },
    handler: async () => reply(200, await demo.state()),
  }),
  route({
    ...common,
    method: 'post',
    summary: 'Load the demonstration corpus in the background, once. 409 where something else was reported before.',
    responses: { 202: Demo },
    async handler() {
      const state = await demo.start()
      if (state !== 'not empty') return reply(202, state)
      const message = 'the platform holds reports already; `harrier demo --force` loads the corpus beside them'
      throw new ApiError('conflict', { message })
    },
  }),
]
