/** Many reports in one request (decisions 15.1). */

import { notAudited, REPORT } from '../../../schemas/audit/action.ts'
import { NDJSON } from '../../http/bodies/lines-body.ts'
import { type Route, reply, route } from '../../http/route.ts'
import type { BulkService } from '../services/bulk/bulk.ts'
import { LINE_CODES_TEXT } from '../services/bulk/line-codes.ts'

/** A body may be sent while it is made: a line may be waited for, but not for ever. */
const BOUNDS = { maxBytes: 64 * 1024 * 1024, idleMs: 60_000, totalMs: 60 * 60_000 }

/** @param proxied whether requests may come through proxies, which name themselves in `x-forwarded-for` */
export const bulkRoutes = (bulk: BulkService, proxied: boolean): Route[] => [
  route({
    method: 'post',
    path: '/api/ingest/v1/entities',
    id: 'reportEntities',
    summary:
      'Report many entities, one JSON object per line. Each line is answered by a line, while later lines are still being sent.',
    codes: ['in_progress', 'idempotency_mismatch'],
    examples: {
      body: `${JSON.stringify({ type: 'ip', attributes: { ip: '203.0.113.7' }, reputation: -2, tags: ['ssh'] })}\n${JSON.stringify({ type: 'domain', attributes: { domain: 'login.example.com' } })}\n`,
    },
    audit: notAudited(REPORT),
    tag: 'Ingest',
    access: 'reporter',
    scope: 'ingest',
    lineStream: BOUNDS,
    headers: {
      'idempotency-key': {
        description:
          '1 to 255 characters, kept for 24 hours for each caller. The same body with the same key returns the same ids and adds nothing, even after a lost connection; another body is refused with 409.',
        example: 'import-2026-03-01',
      },
    },
    limit: { service: 'ingest-api', features: ['bulk_lines_per_minute'] },
    responses: {
      200: {
        media: NDJSON,
        description: `One line for each line that is not blank, in order: \`{"line", "id"}\` once the report is durable, or \`{"line", "error": {"code", "message", "param"}}\` if it was refused. Lines are counted from 1. The last line is \`{"accepted", "rejected"}\`. If the stream ends without it, the lines without an answer may or may not be stored. ${LINE_CODES_TEXT}`,
      },
    },
    handler: async ({ user, lineStream, header, takeUpTo, again }) => {
      const [key, afterBody] = [header('idempotency-key'), proxied && header('x-forwarded-for') !== undefined]
      return reply(200, await bulk.accept({ user, lines: lineStream!, key, takeUpTo, again, afterBody }))
    },
  }),
]
