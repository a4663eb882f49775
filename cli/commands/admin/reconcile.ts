import type { Command } from 'commander'
import { type AdminContext, show } from './context.ts'

/** Adds `reconcile` to the program: find and repair what missed events have left behind on a running platform. */
export function registerReconcile(program: Command, context: AdminContext): void {
  program
    .command('reconcile')
    .description('find and repair what missed events of accounts have left behind; happens every hour too')
    .option('--dry-run', 'look, and change nothing', false)
    .action(async ({ dryRun }: { dryRun: boolean }) => {
      const ask = await context.open()
      show(context, await ask('POST', '/api/billing/v1/admin/reconcile', { dryRun }))
    })
}
