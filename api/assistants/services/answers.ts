/** One message of a client of the Model Context Protocol, answered by the SDK: stateless, as JSON (decisions 16.4). */

import type { Server } from '@modelcontextprotocol/server'
import { MAX_ANSWER_BYTES } from '../../../schemas/assistants/packed.ts'

type Sdk = typeof import('@modelcontextprotocol/server')

/** Headers that the protocol has, by their names in lower case. */
const HEADERS = ['accept', 'content-type', 'mcp-protocol-version', 'mcp-method', 'mcp-name'] as const

export type Received = {
  body: unknown
  header: (name: string) => string | undefined
  /** Aborts when the client goes away. */
  signal: AbortSignal
}

export type Answered = { status: number; text: string }

/** What stands for an answer that is too long: no part of JSON is JSON. */
const TOO_LONG = JSON.stringify({
  jsonrpc: '2.0',
  id: null,
  error: { code: -32603, message: 'the answer would exceed 32 KiB; request fewer items' },
})

/** Answers by a server that `server` makes; resolves with status 499 when the client has gone. */
export async function answered(sdk: Sdk, { body, header, signal }: Received, server: () => Server): Promise<Answered> {
  const headers = HEADERS.flatMap((name): [string, string][] => {
    const value = name === 'mcp-protocol-version' && isInitialize(body) ? undefined : shownTo(name, header(name))
    return value === undefined ? [] : [[name, value]]
  })
  const request = new Request('http://localhost/mcp', { method: 'POST', headers, signal })
  const response = (await sdk.isLegacyRequest(request, body))
    ? await bySession(sdk, request, body, server())
    : await sdk.createMcpHandler(server, { legacy: 'reject', maxSubscriptions: 0 }).fetch(request, { parsedBody: body })
  const text = await response.text()
  if (Buffer.byteLength(text) > MAX_ANSWER_BYTES) return { status: 200, text: TOO_LONG }
  return { status: response.status, text }
}

/**
 * A client that begins agrees on a version by its body. Some name the one that they would like in the header too, which is for
 * the requests after that: `initialize` is always answered with a version (ADR 256).
 */
const isInitialize = (body: unknown): boolean => (body as { method?: unknown } | null)?.method === 'initialize'

/** The SDK wants both media types by their names; whoever takes everything, or says nothing, takes these. */
const shownTo = (name: string, value: string | undefined): string | undefined =>
  name === 'accept' && (value ?? '*/*').includes('*/*') ? 'application/json, text/event-stream' : value

/** Versions that begin with `initialize`: the SDK keeps no session between their requests either. */
async function bySession(sdk: Sdk, request: Request, body: unknown, server: Server): Promise<Response> {
  const transport = new sdk.WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: undefined,
    enableJsonResponse: true,
  })
  await server.connect(transport)
  const gone = Promise.withResolvers<Response>()
  const leave = (): void => gone.resolve(new Response(null, { status: 499 }))
  request.signal.addEventListener('abort', leave, { once: true })
  try {
    return await Promise.race([transport.handleRequest(request, { parsedBody: body }), gone.promise])
  } finally {
    request.signal.removeEventListener('abort', leave)
    await server.close()
  }
}
