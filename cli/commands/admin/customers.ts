import type { Command } from 'commander'
import { MAX_QUANTITY } from '../../../schemas/accounts/tiers/for-sale.ts'
import { UsageError } from '../../wiring/process/usage.ts'
import { jsonLines, LINES, show, withJson } from '../output.ts'
import { table } from '../table.ts'
import { relativeTime } from '../values/relative-time.ts'
import { pageNumber, pageSize, wholeNumber } from '../values/values.ts'
import { type AdminContext, asking } from './context.ts'
import { customerPath } from './find.ts'
import { morePages, type Pages } from './pages.ts'

type Json = { json?: true }
type Flags = Json & { tier?: string; quantity?: number; cancel?: true }
type Listed = Record<'id' | 'name' | 'email' | 'tierName' | 'subscriptionStatus' | 'createdAt', string>

const CUSTOMER = ['<customer>', 'name, email address or id'] as const

/** Adds `customer` to the program: customers of a running platform and what they pay for (decisions 6.6). */
export function registerCustomers(program: Command, context: AdminContext): void {
  const customer = asking(program.command('customer')).description('manage the customers of a running platform')
  withJson(customer.command('list').description('list customers, oldest first'), LINES)
    .option('--page <n>', 'from 1', pageNumber, 1)
    .option('--limit <n>', 'customers per page, at most 100', pageSize, 100)
    .action(async ({ page, limit, json }: Json & { page: number; limit: number }) => {
      const ask = await context.open()
      const found = (await ask('GET', `/api/billing/v1/admin/customers?page=${page}&limit=${limit}`)) as Found
      if (json) return void context.stdout.write(jsonLines(found.customers))
      context.stdout.write(found.customers.length === 0 ? 'no customers\n' : formatted(found.customers, context.now()))
      context.stderr.write(morePages(found, page))
    })
  withJson(customer.command('show').argument(...CUSTOMER))
    .description('show a customer')
    .action(async (named: string, { json }: Json) => {
      const ask = await context.open()
      show(context, await ask('GET', await customerPath(ask, named)), json)
    })
  withJson(customer.command('subscription').argument(...CUSTOMER))
    .description('set the tier and quantity of a customer, or cancel the subscription')
    .option('--tier <name>')
    .option('--quantity <n>', 'multiplies the quotas of the tier; default: 1', wholeNumber(1, MAX_QUANTITY))
    .option('--cancel', 'cancel: the customer gets the free tier and no quotas')
    .action(async (named: string, { tier, quantity, cancel, json }: Flags) => {
      if (cancel && (tier !== undefined || quantity !== undefined))
        throw new UsageError('--cancel cannot be combined with --tier or --quantity')
      if (!cancel && tier === undefined) throw new UsageError('--tier or --cancel is required')
      const ask = await context.open()
      const path = `${await customerPath(ask, named)}/subscription`
      const answer = cancel ? await ask('DELETE', path) : await ask('PUT', path, { tier, quantity: quantity ?? 1 })
      show(context, answer, json)
    })
}

type Found = { customers: Listed[] } & Pages

const formatted = (customers: readonly Listed[], now: number): string =>
  table(
    ['NAME', 'EMAIL', 'TIER', 'SUBSCRIPTION', 'CREATED', 'ID'],
    customers.map(({ id, name, email, tierName, subscriptionStatus, createdAt }) => [
      ...[name, email, tierName, subscriptionStatus, relativeTime(Date.parse(createdAt), now), id],
    ]),
  )
