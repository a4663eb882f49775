/** Turns everything that is thrown below into an answer: body, headers and log line (decisions 1.3). */

import type { Context, Middleware } from 'koa'
import type { Logger } from 'pino'
import { withoutTokens } from '../../../schemas/feeds-out/download-token.ts'
import { ANSWER_HEADERS } from '../answers/respond.ts'
import { isTaxii, TAXII_MEDIA, taxiiErrorText } from '../answers/taxii-errors.ts'
import { MAX_BODY_BYTES } from '../bodies/body.ts'
import { type ApiError, asApiError, type ErrorCode, errorBody, fromStatus, headerSafe } from '../errors.ts'
import { Starting } from '../parts-health.ts'
import type { Route } from '../route.ts'

/** After how many seconds the same request may do better, unless the error says it. */
const AGAIN_SECONDS: Partial<Record<ErrorCode, number>> = {
  busy: 1,
  store_unavailable: 1,
  log_unavailable: 2,
  query_timeout: 5,
  building: 2,
  retraction_pending: 5,
}

/** Outermost. `newId` makes the UUID that the caller is given and the log line carries. */
export function errorFunnel(logger: Logger, newId: () => string): Middleware {
  return async (ctx, next) => {
    try {
      await next()
      // Unknown paths and methods: the router leaves a bare status behind.
      if (ctx.status >= 400 && ctx.body == null) answer(ctx, fromStatus(ctx.status), newId(), logger)
    } catch (thrown) {
      answer(ctx, asApiError(thrown), newId(), logger)
    }
  }
}

function answer(ctx: Context, error: ApiError, id: string, logger: Logger): void {
  const line = {
    errorId: id,
    code: error.code,
    status: error.status,
    method: ctx.method,
    path: withoutTokens(ctx.path),
  }
  const fault = error.status >= 500 && error.code !== 'building' && !(error.cause instanceof Starting)
  if (fault) logger.error({ ...line, err: error.cause ?? error }, error.message)
  else logger.debug({ ...line, param: error.param }, error.message)
  ctx.status = error.status
  ctx.set({ ...ANSWER_HEADERS, 'x-error': headerSafe(error.message), 'x-error-id': id })
  if (error.code === 'upgrade_required') offerUpgrade(ctx)
  if (error.status === 401) ctx.set('www-authenticate', challengeOf(ctx.state.route as Route | undefined))
  const again = error.retryAfter ?? AGAIN_SECONDS[error.code]
  if (again !== undefined) ctx.set('retry-after', String(again))
  ctx.body = isTaxii(ctx.path) ? taxiiErrorText(error, id) : errorBody(error, id)
  if (isTaxii(ctx.path)) ctx.set('content-type', TAXII_MEDIA)
  // What streams in may be large: its client is to read why it was refused, and what it still sends is thrown away.
  const streamed = (ctx.state.route as Route | undefined)?.lineStream ?? null
  if (streamed === null && !ctx.req.complete && unboundedRest(ctx)) ctx.set('connection', 'close')
}

/** Devices send Basic credentials only where they are asked for them; a browser would ask people on every page. */
const challengeOf = (route: Route | undefined): string =>
  route === undefined || route.credentials === null ? 'Bearer' : 'Basic realm="feeds", charset="UTF-8", Bearer'

/** RFC 9110 15.5.22, RFC 6455 4.4. A connection that is at its end stays so. */
function offerUpgrade(ctx: Context): void {
  const options = ctx.response.get('connection') === 'close' ? 'upgrade, close' : 'upgrade'
  ctx.set({ connection: options, upgrade: 'websocket', 'sec-websocket-version': '13' })
}

/** A refused request may still be sending: what is left is drained for the next one only if it is known to be small. */
function unboundedRest(ctx: Context): boolean {
  if (ctx.get('transfer-encoding') !== '') return true
  return Number(ctx.get('content-length')) > MAX_BODY_BYTES
}
