import { type Command, Option } from 'commander'
import { SCAN_PRIORITIES, SCAN_STATES } from '../../../schemas/scans/scan.ts'
import { jsonLines, LINES, show, withJson } from '../output.ts'
import { table } from '../table.ts'
import { relativeTime } from '../values/relative-time.ts'
import { pageNumber, pageSize } from '../values/values.ts'
import { type AdminContext, asking, pathOf } from './context.ts'
import { morePages, type Pages } from './pages.ts'

const SCANS = '/api/ingest/v1/admin/scans'

type Json = { json?: true }
type Filters = Json & { page: number; limit: number; status?: string; priority?: string }
type Listed = Record<'id' | 'target' | 'status' | 'priority' | 'createdAt', string>

/** Adds `scan` to the program: scans of a running platform (decisions 7). */
export function registerScans(program: Command, context: AdminContext): void {
  const scan = asking(program.command('scan')).description('manage the scans of a running platform')
  withJson(scan.command('list').description('list scans, newest first'), LINES)
    .addOption(new Option('--status <state>', 'only scans in this state').choices([...SCAN_STATES]))
    .addOption(new Option('--priority <priority>', 'only scans of this priority').choices([...SCAN_PRIORITIES]))
    .option('--page <n>', 'from 1', pageNumber, 1)
    .option('--limit <n>', 'scans per page, at most 100', pageSize, 100)
    .action(async ({ page, limit, json, ...filters }: Filters) => {
      const ask = await context.open()
      const query = new URLSearchParams({ ...filters, page: `${page}`, limit: `${limit}` })
      const found = (await ask('GET', `${SCANS}?${query}`)) as { results: Listed[] } & Pages
      if (json) return void context.stdout.write(jsonLines(found.results))
      context.stdout.write(found.results.length === 0 ? 'no scans\n' : formatted(found.results, context.now()))
      context.stderr.write(morePages(found, page))
    })
  withJson(scan.command('show <id>'))
    .description('show a scan')
    .action(async (id: string, { json }: Json) => {
      const ask = await context.open()
      show(context, await ask('GET', pathOf`/api/ingest/v1/admin/scans/${id}`), json)
    })
  withJson(scan.command('retry <id>'))
    .description('queue a finished scan again')
    .action(async (id: string, { json }: Json) => {
      const ask = await context.open()
      show(context, await ask('POST', pathOf`/api/ingest/v1/admin/scans/${id}/retry`), json)
    })
}

const formatted = (scans: readonly Listed[], now: number): string =>
  table(
    ['TARGET', 'STATUS', 'PRIORITY', 'CREATED', 'ID'],
    scans.map(({ id, target, status, priority, createdAt }) => [
      ...[target, status, priority, relativeTime(Date.parse(createdAt), now), id],
    ]),
  )
