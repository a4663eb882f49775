/** The declared form of a socket: a route that answers handshakes. */

import type { TObject } from 'typebox'
import type { Action } from '../../../schemas/audit/action.ts'
import { SocketBody, type Start } from '../answers/stream-body.ts'
import { type Access, type Declaration, type Route, reply, route, type SocketResponse } from '../route.ts'

type Responses = { 101: SocketResponse }
type OfRoute<A extends Access, Q extends TObject> = Declaration<
  A,
  TObject<Record<never, never>>,
  Q,
  undefined,
  Responses
>

export type SocketDeclaration<A extends Access, Q extends TObject> = Pick<
  OfRoute<A, Q>,
  'id' | 'summary' | 'codes' | 'examples' | 'tag' | 'access' | 'scope' | 'permit' | 'query'
> & {
  audit?: Action
  /** Without parameters. */
  path: string
  /** What the frames are, as a sentence of the API document. */
  frames: string
  /**
   * Decides on a handshake. What is thrown is answered as it is to any request. Credentials in headers have been read
   * before, as for every route: wrong ones are refused, those that are right are `user`.
   */
  open(request: Parameters<OfRoute<A, Q>['handler']>[0]): Promise<Start> | Start
}

/**
 * Declares a WebSocket. It is a route of the one list, so that the API document and the authorisation tests know it. What
 * is no handshake of version 13 is answered with 426 (ADR 271).
 */
export function socketRoute<const A extends Access, Q extends TObject = TObject<Record<never, never>>>({
  frames,
  open,
  ...declared
}: SocketDeclaration<A, Q>): Route {
  return route<A, Responses, TObject<Record<never, never>>, Q, undefined>({
    ...declared,
    method: 'get',
    responses: { 101: { protocol: 'websocket', description: frames } },
    handler: async (request) => reply(101, new SocketBody(await open(request))),
  })
}
