import { type Packed, packed } from '../../../schemas/assistants/packed.ts'
import { visible } from '../../../schemas/casework/deliveries/defang.ts'
import { ApiError, asApiError } from '../../http/errors.ts'
import { checkScope } from '../../http/middleware/bounds.ts'
import { bodyCheck } from '../../http/validation.ts'
import type { CommonPorts } from '../../ports.ts'
import type { Asker, AskRoute } from './inner-requests.ts'
import { ASKED, type Asked, type Tool } from './tool.ts'

/** Longest reason, in characters: it may quote what the caller gave. */
const MAX_REASON = 500

type Refusal = { error: { code: string; message: string; retryAfterSeconds?: number } }

/** What is told of anything that a tool throws. The cause of a fault is not. */
function refusalOf(thrown: unknown): Refusal {
  const { code, message, retryAfter } = asApiError(thrown)
  const reason = visible(message).slice(0, MAX_REASON).toWellFormed()
  if (retryAfter === undefined) return { error: { code, message: reason } }
  const again = `${reason}: ask again in ${retryAfter} ${retryAfter === 1 ? 'second' : 'seconds'}`
  return { error: { code, message: again, retryAfterSeconds: retryAfter } }
}

export type ToolPorts = {
  route: (name: string) => AskRoute
  /** What is written of each call: that there was one, and by whom. */
  record: (caller: Asker, outcome: 'success' | 'refused') => void
  /** Unix milliseconds. */
  now: () => number
  logger: Pick<CommonPorts['logger'], 'error'>
}

/** An answer of a tool, or why there is none. */
export type ToolAnswer = Packed & { isError: boolean }

const REFUSED: readonly number[] = [401, 403]

/** Calls a tool for a caller, with an answer of at most `room` bytes of a body. Never rejects. */
export type CallTool = (tool: Tool, given: unknown, caller: Asker, room: number) => Promise<ToolAnswer>

export function callTools({ route, record, now, logger }: ToolPorts, tools: readonly Tool[]): CallTool {
  const routes = new Map(Object.entries(ASKED).map(([name, path]) => [name as Asked, route(path)]))
  const checks = new Map(tools.map(({ name, input }) => [name, bodyCheck(input)]))
  return async (tool, given, caller, room) => {
    try {
      if (caller.user !== null) checkScope(caller.user, tool.scope)
      const checked = checks.get(tool.name)!(given)
      const asking = {
        ask: (name: Asked, question: Parameters<AskRoute>[1]) => routes.get(name)!(caller, question),
        now: now(),
        signal: caller.signal,
      }
      const answer = packed(await tool.find(asking, checked), room)
      if (answer === null)
        throw new ApiError('body_too_large', { message: 'the answer would be too large; request fewer items' })
      record(caller, 'success')
      return { ...answer, isError: false }
    } catch (thrown) {
      if (asApiError(thrown).status >= 500) logger.error({ err: thrown, tool: tool.name }, 'a tool has no answer')
      const refusal = refusalOf(thrown)
      if (REFUSED.includes(asApiError(thrown).status)) record(caller, 'refused')
      return { value: refusal, text: JSON.stringify(refusal), isError: true }
    }
  }
}
