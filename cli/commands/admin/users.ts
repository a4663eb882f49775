import { type Command, Option } from 'commander'
import { ROLES } from '../../../schemas/accounts/accounts.ts'
import { SCOPES } from '../../../schemas/accounts/scopes.ts'
import { jsonLines, LINES, show, withJson } from '../output.ts'
import { table } from '../table.ts'
import { relativeTime } from '../values/relative-time.ts'
import { pageNumber, pageSize, wholeNumber } from '../values/values.ts'
import { type AdminContext, asking, collect } from './context.ts'
import { userPath } from './find.ts'
import { morePages, type Pages } from './pages.ts'
import type { AdminRequest } from './server-context.ts'

const USER_PATH = '/auth/v2/admin/user'

type NewKey = {
  name: string
  days?: number
  expireAt?: number
  scope?: string[]
  group?: string[]
  network?: string[]
}
type NewUser = { email: string; fullName?: string; alias?: string; role?: string[]; group?: string[] }
type Json = { json?: true }
type Filters = Json & { page: number; limit: number; query?: string; role?: string; disabled?: true }
type Listed = Record<'userID' | 'email' | 'fullName' | 'createdAt', string> & { roles: string[]; disabled: boolean }

const USER = ['<user>', 'email address or id'] as const

/** Adds `user` and `keypair` to the program: accounts of a running platform (decisions 2.6). */
export function registerUsers(program: Command, context: AdminContext): void {
  const user = asking(program.command('user')).description('manage the users of a running platform')
  withJson(user.command('list').description('list the users, newest first'), LINES)
    .option('--query <text>', 'part of an email address or an alias')
    .addOption(new Option('--role <role>', 'only users with this role').choices([...ROLES]))
    .option('--disabled', 'only disabled users')
    .option('--page <n>', 'from 1', pageNumber, 1)
    .option('--limit <n>', 'users per page, at most 100', pageSize, 100)
    .action(async ({ json, disabled, page, limit, ...filters }: Filters) => {
      const ask = await context.open()
      const query = { ...filters, ...(disabled ? { enabled: 'false' } : {}), page: `${page}`, limit: `${limit}` }
      const found = (await ask('GET', `${USER_PATH}s?${new URLSearchParams(query)}`)) as { users: Listed[] } & Pages
      if (json) return void context.stdout.write(jsonLines(found.users))
      context.stdout.write(found.users.length === 0 ? 'no users\n' : formatted(found.users, context.now()))
      context.stderr.write(morePages(found, page))
    })
  withJson(user.command('create').description('create a user'))
    .requiredOption('--email <address>')
    .option('--full-name <name>')
    .option('--alias <name>')
    .option('--role <role>', `one of ${ROLES.join(', ')}; may be repeated`, collect)
    .option('--group <group>', 'may be repeated; default: public', collect)
    .action(async ({ json, role = [], group, ...names }: NewUser & Json) => {
      const body = { ...names, roles: role, ...(group === undefined ? {} : { groups: group }) }
      show(context, await (await context.open())('POST', USER_PATH, body), json)
    })

  /** What is done with one user, who is found first. */
  const one = (command: Command, act: (ask: AdminRequest, path: string, rest: string[]) => Promise<unknown>): Command =>
    withJson(command).action(async (named: string, ...given: unknown[]) => {
      const rest = Array.isArray(given[0]) ? (given.shift() as string[]) : []
      const ask = await context.open()
      show(context, await act(ask, await userPath(ask, named), rest), (given[0] as Json).json)
    })

  one(
    user
      .command('show')
      .argument(...USER)
      .description('show a user'),
    (ask, path) => ask('GET', path),
  )
  for (const disabled of [true, false])
    one(
      user
        .command(disabled ? 'disable' : 'enable')
        .argument(...USER)
        .description(
          disabled
            ? 'disable a user: all credentials of the user are refused'
            : 'enable a disabled user: the credentials are accepted again',
        ),
      (ask, path) => ask('PUT', path, { disabled }),
    )
  one(
    user
      .command('roles')
      .argument(...USER)
      .argument('[roles...]')
      .description('replace the roles of a user'),
    (ask, path, roles) => ask('PUT', path, { roles }),
  )

  const keypair = asking(program.command('keypair')).description('manage the key pairs of users of a running platform')
  withJson(keypair.command('create').argument(...USER))
    .description('create a key pair for a user; the secret is shown only once')
    .option('--name <name>', 'name of the key pair', 'cli')
    .option('--days <days>', 'days until the key pair expires, at most 3650; default: 365', wholeNumber(1, 3650))
    .option(
      '--expire-at <seconds>',
      'unix seconds at which it expires, in place of --days',
      wholeNumber(0, 99_999_999_999),
    )
    .option('--scope <scope>', `may be repeated: ${SCOPES.join(', ')}; default: all`, collect)
    .option(
      '--group <group>',
      'group of the user that it reads and reports for; may be repeated; default: all',
      collect,
    )
    .option(
      '--network <network>',
      'network or address that it may be used from; may be repeated; default: any',
      collect,
    )
    .action(async (named: string, { name, days, expireAt, scope, group, network, json }: NewKey & Json) => {
      const ask = await context.open()
      const made = await ask('POST', `${await userPath(ask, named)}/keypair`, {
        name,
        ...(expireAt === undefined ? { days: days ?? 365 } : { expireAt, ...(days === undefined ? {} : { days }) }),
        ...(scope === undefined ? {} : { scopes: scope }),
        ...(group === undefined ? {} : { groups: group }),
        ...(network === undefined ? {} : { networks: network }),
      })
      show(context, made, json)
    })
}

const formatted = (users: readonly Listed[], now: number): string =>
  table(
    ['EMAIL', 'NAME', 'ROLES', 'STATE', 'CREATED', 'ID'],
    users.map(({ userID, email, fullName, roles, disabled, createdAt }) => [
      ...[email, fullName === '' ? '-' : fullName, roles.length === 0 ? '-' : roles.join(' ')],
      ...[disabled ? 'disabled' : 'enabled', relativeTime(Date.parse(createdAt), now), userID],
    ]),
  )
