import type { Command } from 'commander'
import { wholeNumber } from '../values/values.ts'
import { type AdminContext, asking, collect, pathOf, show } from './context.ts'

const USERS = '/auth/v2/admin/user'

type NewUser = { email: string; fullName?: string; alias?: string; role?: string[]; group?: string[] }

/** Adds `user` and `keypair` to the program: accounts of a running platform (decisions 2.6). */
export function registerUsers(program: Command, context: AdminContext): void {
  const ask = async (...[method, path, body]: Parameters<Awaited<ReturnType<AdminContext['open']>>>) =>
    show(context, await (await context.open())(method, path, body))

  const user = asking(program.command('user')).description('manage the users of a running platform')
  user
    .command('create')
    .description('create a user')
    .requiredOption('--email <address>')
    .option('--full-name <name>')
    .option('--alias <name>')
    .option('--role <role>', 'may be repeated', collect)
    .option('--group <group>', 'may be repeated; default: public', collect)
    .action(({ role = [], group, ...names }: NewUser) =>
      ask('POST', USERS, { ...names, roles: role, ...(group === undefined ? {} : { groups: group }) }),
    )
  user
    .command('show <id>')
    .description('show a user')
    .action((id: string) => ask('GET', pathOf`/auth/v2/admin/user/${id}`))
  for (const disabled of [true, false])
    user
      .command(`${disabled ? 'disable' : 'enable'} <id>`)
      .description(
        disabled
          ? 'disable a user: all credentials of the user are refused'
          : 'enable a disabled user: the credentials are accepted again',
      )
      .action((id: string) => ask('PUT', pathOf`/auth/v2/admin/user/${id}`, { disabled }))
  user
    .command('roles <id> [roles...]')
    .description('replace the roles of a user')
    .action((id: string, roles: string[]) => ask('PUT', pathOf`/auth/v2/admin/user/${id}`, { roles }))

  asking(program.command('keypair'))
    .description('manage the key pairs of users of a running platform')
    .command('create <user>')
    .description('create a key pair for a user; the secret is shown only once')
    .option('--name <name>', 'name of the key pair', 'cli')
    .option('--days <days>', 'days until the key pair expires, at most 3650', wholeNumber(1, 3650), 365)
    .action((id: string, { name, days }: { name: string; days: number }) =>
      ask('POST', pathOf`/auth/v2/admin/user/${id}/keypair`, { name, days }),
    )
}
