/** Many reports in one request (decisions-2 15.1). */

import { NDJSON } from '../../http/bodies/lines-body.ts'
import { type Route, reply, route } from '../../http/route.ts'
import type { BulkService } from '../services/bulk/bulk.ts'

/** A body may be sent while it is made: a line may be waited for, but not for ever. */
const BOUNDS = { maxBytes: 64 * 1024 * 1024, idleMs: 60_000, totalMs: 60 * 60_000 }

export const bulkRoutes = (bulk: BulkService): Route[] => [
  route({
    method: 'post',
    path: '/api/ingest/v1/entities',
    summary:
      'Report many entities, one JSON object per line. Each line is answered by a line, while later lines are still being sent.',
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
        description:
          'One line for each line that is not blank, in order: `{"line", "id"}` once the report is durable, or `{"line", "error": {"code", "message", "param"}}` if it was refused, with the codes of a single report. Lines are counted from 1. A line beyond the rate limit is refused with `rate_limit_exceeded`. The last line is `{"accepted", "rejected"}`. If the stream ends without it, the lines without an answer may or may not be stored. A bound that is exceeded is reported by one error line before the last line: `too_many_lines` (100,000), `too_large` (64 MiB), `request_timeout`, `idempotency_mismatch`, `publish_failed`.',
      },
    },
    handler: async ({ user, lineStream, header, takeUpTo, again }) =>
      reply(200, await bulk.accept({ user, lines: lineStream!, key: header('idempotency-key'), takeUpTo, again })),
  }),
]
