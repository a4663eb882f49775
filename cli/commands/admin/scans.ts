import type { Command } from 'commander'
import { pageNumber, pageSize } from '../values/values.ts'
import { type AdminContext, asking, pathOf, show } from './context.ts'

const SCANS = '/api/ingest/v1/admin/scans'

type Filters = { page: number; limit: number; status?: string; priority?: string }

/** Adds `scan` to the program: scans of a running platform (decisions 7). */
export function registerScans(program: Command, context: AdminContext): void {
  const scan = asking(program.command('scan')).description('manage the scans of a running platform')
  scan
    .command('list')
    .description('list scans, newest first')
    .option('--status <state>', 'new, queued, running, done or permanent_failure')
    .option('--priority <priority>', 'user or automatic')
    .option('--page <n>', 'from 1', pageNumber, 1)
    .option('--limit <n>', 'scans per page, at most 100', pageSize, 100)
    .action(async ({ page, limit, ...filters }: Filters) => {
      const ask = await context.open()
      show(
        context,
        await ask('GET', `${SCANS}?${new URLSearchParams({ ...filters, page: `${page}`, limit: `${limit}` })}`),
      )
    })
  scan
    .command('show <id>')
    .description('show a scan')
    .action(async (id: string) => {
      const ask = await context.open()
      show(context, await ask('GET', pathOf`/api/ingest/v1/admin/scans/${id}`))
    })
  scan
    .command('retry <id>')
    .description('queue a finished scan again')
    .action(async (id: string) => {
      const ask = await context.open()
      show(context, await ask('POST', pathOf`/api/ingest/v1/admin/scans/${id}/retry`))
    })
}
