import type { Command } from 'commander'
import { newPassword } from '../../connectors/history/sql-users/password.ts'
import { PRIVATE } from '../../connectors/history/sql-users/server.ts'
import type { SqlUsers } from '../../connectors/history/sql-users/store.ts'
import { memoryOf, SQL_USER_DEFAULTS } from '../../connectors/history/sql-users/user.ts'
import { collect } from './admin/context.ts'

type Out = { write(text: string): unknown }
type AddOptions = { groups: string; seconds: string; memory: string; rows: string; from?: string[] }

const number = (text: string, of: string): number => {
  if (!/^\d{1,12}$/.test(text)) throw new Error(`${of} must be a whole number`)
  return Number(text)
}

const networks = (from: string[] | undefined): readonly string[] => {
  if (from === undefined) return PRIVATE
  if (from.length === 1 && from[0] === 'any') return []
  const odd = from.find((network) => !/^[0-9a-f:.]{2,45}(\/\d{1,3})?$/i.test(network))
  if (odd !== undefined) throw new Error(`'${odd.slice(0, 60)}' is no network: say 10.1.0.0/16, or any`)
  return from
}

/** Adds `sql-user` to the program: people and programs that ask in SQL (docs/bi.md). */
export function registerSqlUsers(program: Command, open: () => Promise<SqlUsers>, out: Out): void {
  const command = program.command('sql-user').description('users that read the bi_ views in SQL')
  const over = async (work: (users: SqlUsers) => Promise<void>): Promise<void> => {
    const users = await open()
    await work(users).finally(() => users.close())
  }

  command
    .command('add <name>')
    .description('make a user; its password is shown once')
    .requiredOption('--groups <groups>', 'whose rows it reads, separated by commas')
    .option('--seconds <n>', 'longest time of a query', String(SQL_USER_DEFAULTS.seconds))
    .option('--memory <amount>', 'most memory of a query', '2GiB')
    .option('--rows <n>', 'most rows of an answer', String(SQL_USER_DEFAULTS.rows))
    .option('--from <network>', 'where it may come from on a server, or any; may be repeated', collect)
    .action((name: string, { groups, seconds, memory, rows, from }: AddOptions) => {
      const user = {
        name,
        groups: [...new Set(groups.split(',').map((group) => group.trim()))],
        seconds: number(seconds, '--seconds'),
        memoryBytes: memoryOf(memory),
        rows: number(rows, '--rows'),
      }
      const password = newPassword()
      const place = networks(from)
      return over(async (users) => {
        const database = await users.add(user, password, place)
        out.write(`user      ${name}\npassword  ${password}\ndatabase  ${database}\n`)
      })
    })

  command
    .command('list')
    .description('list the users, their groups and their bounds')
    .action(() => over(async (users) => void out.write(`${JSON.stringify(await users.list(), null, 2)}\n`)))

  command
    .command('remove <name>')
    .description('take a user away')
    .action((name: string) => over((users) => users.remove(name)))

  command
    .command('password <name>')
    .description('give a user a new password, which is shown once')
    .action((name: string) => {
      const password = newPassword()
      return over(async (users) => {
        await users.password(name, password)
        out.write(`password  ${password}\n`)
      })
    })

  command
    .command('refresh')
    .description('give the users of a server the views that are new since they were made')
    .action(() => over(async (users) => void out.write(`${await users.refresh()} users have every view\n`)))
}
