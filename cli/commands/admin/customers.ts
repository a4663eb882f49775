import type { Command } from 'commander'
import { MAX_QUANTITY } from '../../../schemas/accounts/tiers/for-sale.ts'
import { UsageError } from '../../wiring/process/usage.ts'
import { pageNumber, pageSize, wholeNumber } from '../values/values.ts'
import { type AdminContext, asking, pathOf, show } from './context.ts'

type Flags = { tier?: string; quantity?: number; cancel?: true }

/** Adds `customer` to the program: customers of a running platform and what they pay for (decisions 6.6). */
export function registerCustomers(program: Command, context: AdminContext): void {
  const customer = asking(program.command('customer')).description('manage the customers of a running platform')
  customer
    .command('list')
    .description('list customers')
    .option('--page <n>', 'from 1', pageNumber, 1)
    .option('--limit <n>', 'customers per page, at most 100', pageSize, 100)
    .action(async ({ page, limit }: { page: number; limit: number }) => {
      const ask = await context.open()
      show(context, await ask('GET', `/api/billing/v1/admin/customers?page=${page}&limit=${limit}`))
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
    .option('--quantity <n>', 'multiplies the quotas of the tier; default: 1', wholeNumber(1, MAX_QUANTITY))
    .option('--cancel', 'cancel: the customer gets the free tier and no quotas')
    .action(async (id: string, { tier, quantity, cancel }: Flags) => {
      const path = pathOf`/api/billing/v1/admin/customer/${id}/subscription`
      if (cancel) {
        if (tier !== undefined || quantity !== undefined)
          throw new UsageError('--cancel cannot be combined with --tier or --quantity')
        return show(context, await (await context.open())('DELETE', path))
      }
      if (tier === undefined) throw new UsageError('--tier or --cancel is required')
      show(context, await (await context.open())('PUT', path, { tier, quantity: quantity ?? 1 }))
    })
}
