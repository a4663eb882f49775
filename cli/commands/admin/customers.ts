import type { Command } from 'commander'
import { type AdminContext, pathOf, show } from './context.ts'

type Flags = { tier?: string; quantity?: string; cancel?: true }

/** Adds `customer` to the program: customers of a running platform and what they pay for (decisions 6.6). */
export function registerCustomers(program: Command, context: AdminContext): void {
  const customer = program.command('customer').description('manage the customers of a running platform')
  customer
    .command('list')
    .description('list customers')
    .option('--page <n>', 'from 1', '1')
    .option('--limit <n>', 'customers per page', '100')
    .action(async (page: { page: string; limit: string }) => {
      const ask = await context.open()
      show(context, await ask('GET', `/api/billing/v1/admin/customers?${new URLSearchParams(page)}`))
    })
  customer
    .command('show <id>')
    .description('show a customer')
    .action(async (id: string) => {
      const ask = await context.open()
      show(context, await ask('GET', pathOf`/api/billing/v1/admin/customer/${id}`))
    })
  customer
    .command('subscription <id>')
    .description('set the tier and quantity of a customer, or cancel the subscription')
    .option('--tier <name>')
    .option('--quantity <n>', 'multiplies the quotas of the tier; default: 1')
    .option('--cancel', 'cancel: the customer gets the free tier and no quotas')
    .action(async (id: string, { tier, quantity, cancel }: Flags, command: Command) => {
      const path = pathOf`/api/billing/v1/admin/customer/${id}/subscription`
      if (cancel) {
        if (tier !== undefined || quantity !== undefined)
          command.error('--cancel cannot be combined with --tier or --quantity')
        return show(context, await (await context.open())('DELETE', path))
      }
      if (tier === undefined) command.error('--tier or --cancel is required')
      show(context, await (await context.open())('PUT', path, { tier, quantity: Number(quantity ?? '1') }))
    })
}
