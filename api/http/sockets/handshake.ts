/** Handshakes of WebSockets (RFC 6455) as requests like any other: their refusals are the answers of the application. */

import { type IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { ApiError, invalid } from '../errors.ts'
import { isSocketRoute, type Route } from '../route.ts'

/** The connection of a handshake, and what came on it behind the head. */
export type Handshake = { socket: Socket; head: Buffer }

type Handle = (request: IncomingMessage, response: ServerResponse) => unknown

/** Sixteen bytes in base64 (RFC 6455 4.1). */
const KEY = /^[+/0-9A-Za-z]{22}==$/
const VERSION = '13'

const handshakes = new WeakMap<IncomingMessage, Handshake>()

/**
 * Tells the handshakes for the sockets among these routes. Everything else is answered as usual: clients that offer another
 * protocol with every request (`h2c`) are answered as if they had not (RFC 9110 7.8), and elsewhere a handshake is a GET.
 */
export function handshakesFor(routes: readonly Route[]): (request: IncomingMessage) => boolean {
  const paths = new Set(routes.filter(isSocketRoute).map(({ path }) => path))
  return ({ method, headers, url }) =>
    method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket' && paths.has(url!.split('?', 1)[0]!)
}

/**
 * Lets the application answer a handshake that the server took off HTTP. Whatever it answers with but a socket is the last on
 * its connection.
 */
export function answerHandshake(handle: Handle, request: IncomingMessage, handshake: Handshake): void {
  const { socket } = handshake
  // Without a listener, a connection that is reset would end the process.
  socket.on('error', () => socket.destroy())
  handshakes.set(request, handshake)
  const response = new ServerResponse(request)
  response.setHeader('connection', 'close')
  response.assignSocket(socket)
  response.on('finish', () => socket.destroySoon())
  void handle(request, response)
}

/** Throws 426 for what is no handshake of the version that is spoken here, and 400 for one without its key. */
export function checkHandshake(request: IncomingMessage): void {
  const { 'sec-websocket-version': version, 'sec-websocket-key': key } = request.headers
  if (!handshakes.has(request) || version !== VERSION) throw new ApiError('upgrade_required')
  if (key === undefined || !KEY.test(key)) throw invalid('sec-websocket-key', 'must be 16 bytes in base64')
}

/** Takes the connection of a checked handshake away from the response that would have refused it. */
export function takeHandshake(request: IncomingMessage, response: ServerResponse): Handshake {
  const handshake = handshakes.get(request)
  if (handshake === undefined) throw new Error('the request is not a WebSocket handshake')
  handshakes.delete(request)
  response.detachSocket(handshake.socket)
  return handshake
}
