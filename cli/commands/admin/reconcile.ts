import type { Command } from 'commander'
import { show, withJson } from '../output.ts'
import { type AdminContext, asking } from './context.ts'

/** Adds `reconcile` to the program: find and repair what missed events have left behind on a running platform. */
export function registerReconcile(program: Command, context: AdminContext): void {
  withJson(asking(program.command('reconcile')))
    .description(
      'find and repair orphaned resources and wrong counters that missed account events left; also runs every hour',
    )
    .option('--dry-run', 'report what would be repaired and change nothing', false)
    .action(async ({ dryRun, json }: { dryRun: boolean; json?: true }) => {
      const ask = await context.open()
      show(context, await ask('POST', '/api/billing/v1/admin/reconcile', { dryRun }), json)
    })
}
