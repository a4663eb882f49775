/** The Model Context Protocol for assistants (decisions 16.4). */

import { Type } from 'typebox'
import { notAudited } from '../../../schemas/audit/action.ts'
import { MediaBody } from '../../http/answers/raw-body.ts'
import { ApiError } from '../../http/errors.ts'
import { type Route, reply, route } from '../../http/route.ts'
import { allowedPlace } from '../services/allowed-place.ts'
import { type Answered, answered } from '../services/answers.ts'
import type { CallTool } from '../services/call-tool.ts'
import { MAX_BATCH, roomOf } from '../services/mcp-messages.ts'
import { mcpServer } from '../services/mcp-server.ts'
import type { Tool } from '../services/tool.ts'

const JSON_MEDIA = 'application/json'

const Message = Type.Object(
  {
    jsonrpc: Type.Literal('2.0'),
    method: Type.Optional(Type.String({ maxLength: 128 })),
    id: Type.Optional(Type.Union([Type.String({ maxLength: 256 }), Type.Number()])),
  },
  { additionalProperties: true, description: 'a JSON-RPC 2.0 message of the Model Context Protocol' },
)
const Body = Type.Union([Message, Type.Array(Message, { minItems: 1, maxItems: MAX_BATCH })])

const Answer = Type.Object(
  { jsonrpc: Type.Literal('2.0') },
  { additionalProperties: true, description: 'the JSON-RPC 2.0 response: `id` with `result` or `error`' },
)

export type McpPorts = { tools: readonly Tool[]; callTool: CallTool; version: string; url: string }

export function mcpRoutes({ tools, callTool, version, url }: McpPorts): Route[] {
  /** Loaded by the first message: a quarter of a second that most starts have no use for (ADR 281). */
  const sdk = () => import('@modelcontextprotocol/server')
  return [
    route({
      method: 'post',
      path: '/mcp',
      id: 'answerAssistant',
      summary: 'Answer a message of an assistant: Model Context Protocol, Streamable HTTP, without sessions.',
      codes: ['forbidden', 'not_found', 'not_acceptable'],
      examples: {
        body: {
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/call',
          params: { name: 'lookup', arguments: { values: ['203.0.113[.]7'] } },
        },
        answers: {
          200: {
            jsonrpc: '2.0',
            id: 1,
            result: {
              content: [
                {
                  type: 'text',
                  text: '{"found":0,"missing":1,"results":[],"coveredBy":[],"unrecognised":[],"truncated":false}',
                },
              ],
              structuredContent: {
                found: 0,
                missing: 1,
                results: [],
                coveredBy: [],
                unrecognised: [],
                truncated: false,
              },
              isError: false,
            },
          },
        },
      },
      audit: notAudited('the tools that a message calls are written, each as `assistant.call`'),
      tag: 'Assistants',
      access: 'anyone',
      scope: null,
      headers: {
        'mcp-protocol-version': {
          description: 'the agreed protocol version; default: 2025-03-26',
          example: '2025-11-25',
        },
      },
      body: Body,
      responses: { 200: Answer, 202: null, 400: Answer, 404: Answer },
      handler: async (request) => {
        const { body, header } = request
        const loaded = await sdk()
        allowedPlace(loaded, url)(header('host'), header('origin'))
        const room = roomOf(body, header('mcp-protocol-version'))
        return replyOf(
          await answered(loaded, request, () => mcpServer({ sdk: loaded, version, tools, callTool }, request, room)),
        )
      },
    }),
  ]
}

/** Errors of the protocol stay what they are: clients read them to agree on another version. */
function replyOf({ status, text }: Answered) {
  if (status === 202) return reply(202)
  const told = new MediaBody(JSON_MEDIA, text)
  if (status === 200) return reply(200, told)
  if (status === 400) return reply(400, told)
  if (status === 404) return reply(404, told)
  throw refusalOf(status)
}

/** What the SDK refuses before it looks at the message. */
function refusalOf(status: number): ApiError {
  if (status === 406)
    return new ApiError('not_acceptable', { message: 'accept must name application/json and text/event-stream' })
  if (status === 415) return new ApiError('unsupported_media_type')
  return new ApiError('internal', {}, { cause: new Error(`the SDK answered with status ${status}`) })
}
