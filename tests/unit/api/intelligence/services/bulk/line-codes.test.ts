import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { bulkRoutes } from '../../../../../../api/intelligence/routes/bulk.ts'
import type { BulkService } from '../../../../../../api/intelligence/services/bulk/bulk.ts'
import { CODES_OF_ENDS, CODES_OF_LINES } from '../../../../../../api/intelligence/services/bulk/line-codes.ts'

const read = (path: string): string =>
  readFileSync(new URL(`../../../../../../${path}`, import.meta.url).pathname, 'utf8')

/** What an error line may come of: where lines are read and stored, and where a caller is looked up again. */
const SOURCES = ['intake', 'portion', 'repeat', 'units'].map((file) => `api/intelligence/services/bulk/${file}.ts`)
const SHARED = ['api/intelligence/services/report/submitter.ts', 'api/http/middleware/identity.ts']
/** Errors of the log and of data stores, as any answer has them. */
const OF_STORES = ['log_unavailable', 'store_unavailable', 'query_timeout', 'publish_failed']
/** `bulk.ts` and `body.ts` refuse whole requests too. */
const OF_OTHERS = ['idempotency_mismatch', 'malformed_json', 'request_timeout']

test('every code that a line can have is in the tables, and nothing else', () => {
  const thrown = [...SOURCES, ...SHARED].flatMap((path) =>
    [...read(path).matchAll(/(?:ApiError\(|fault\()(?:[^'\n]*\? )?'(\w+)'(?: : '(\w+)')?/g)].flatMap((found) =>
      found.slice(1).filter((code) => code !== undefined),
    ),
  )
  expect(thrown).toContain('too_many_lines')
  const codes = new Set([
    ...thrown,
    ...OF_STORES,
    ...OF_OTHERS,
    'rate_limit_exceeded',
    'scope_missing',
    'network_refused',
  ])
  expect([...codes].sort()).toEqual(
    [...new Set([...Object.keys(CODES_OF_LINES), ...Object.keys(CODES_OF_ENDS)])].sort(),
  )
})

test('the document and the API document have the same tables', () => {
  const [, lines = '', ends = ''] =
    /## Codes of error lines\n([\s\S]*?)After a line([\s\S]*?)\n## Limit/.exec(read('docs/integrate/bulk.md')) ?? []
  const rows = (text: string) =>
    Object.fromEntries([...text.matchAll(/^\| `(\w+)` \| (.*) \|$/gm)].map(([, code, why]) => [code!, why!]))
  expect(rows(lines)).toEqual(CODES_OF_LINES)
  expect(rows(ends)).toEqual(CODES_OF_ENDS)
  const { description } = bulkRoutes({} as BulkService, false)[0]!.responses[200] as { description: string }
  for (const code of [...Object.keys(CODES_OF_LINES), ...Object.keys(CODES_OF_ENDS), 'rate_limited'])
    expect(description).toContain(`\`${code}\``)
})
