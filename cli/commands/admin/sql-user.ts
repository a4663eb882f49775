import type { Command } from 'commander'
import { newPassword } from '../../../connectors/history/sql-users/password.ts'
import { PRIVATE } from '../../../connectors/history/sql-users/server-users.ts'
import type { SqlUsers } from '../../../connectors/history/sql-users/store.ts'
import { memoryOf, SQL_USER_DEFAULTS } from '../../../connectors/history/sql-users/user.ts'
import { UsageError } from '../../wiring/process/usage.ts'
import { document, jsonLines, LINES, withJson } from '../output.ts'
import { table } from '../table.ts'
import { parsed, wholeNumber } from '../values/values.ts'
import { collect } from './context.ts'

type Out = { write(text: string): unknown }
type Json = { json?: true }
type AddOptions = Json & { groups: string; seconds: number; memory?: number; rows: number; from?: string[] }

const networks = (from: string[] | undefined): readonly string[] => {
  if (from === undefined) return PRIVATE
  if (from.length === 1 && from[0] === 'any') return []
  const odd = from.find((network) => !/^[0-9a-f:.]{2,45}(\/\d{1,3})?$/i.test(network))
  if (odd !== undefined)
    throw new UsageError(`'${odd.slice(0, 60)}' is not a network; expected a network such as 10.1.0.0/16, or any`)
  return from
}

/** Adds `sql-user` to the program: people and programs that query in SQL (docs/integrate/bi.md). */
export function registerSqlUsers(program: Command, open: () => Promise<SqlUsers>, out: Out): void {
  const command = program.command('sql-user').description('manage the users that read the bi_ views in SQL')
  const over = async (work: (users: SqlUsers) => Promise<void>): Promise<void> => {
    const users = await open()
    await work(users).finally(() => users.close())
  }

  withJson(command.command('add <name>'))
    .description('create a user; the password is shown only once')
    .requiredOption('--groups <groups>', 'groups that the user may read, separated by commas')
    .option('--seconds <n>', 'maximum duration of a query in seconds', wholeNumber(1, 3_600), SQL_USER_DEFAULTS.seconds)
    .option('--memory <amount>', 'maximum memory of a query, such as 512MiB; default: 2GiB', parsed(memoryOf))
    .option('--rows <n>', 'maximum number of rows in a result', wholeNumber(1, 100_000_000), SQL_USER_DEFAULTS.rows)
    .option(
      '--from <network>',
      'network from which the user may connect (ClickHouse server only), or any; may be repeated',
      collect,
    )
    .action((name: string, { groups, seconds, memory, rows, from, json }: AddOptions) => {
      const user = {
        name,
        groups: [...new Set(groups.split(',').map((group) => group.trim()))],
        seconds,
        memoryBytes: memory ?? SQL_USER_DEFAULTS.memoryBytes,
        rows,
      }
      const password = newPassword()
      const place = networks(from)
      return over(async (users) => {
        const database = await users.add(user, password, place)
        out.write(
          json
            ? document({ user: name, password, database })
            : `user      ${name}\npassword  ${password}\ndatabase  ${database}\n`,
        )
      })
    })

  withJson(command.command('list'), LINES)
    .description('list the users with their groups and limits')
    .action(({ json }: Json) =>
      over(async (users) => {
        const found = await users.list()
        if (json) out.write(jsonLines(found))
        else out.write(found.length === 0 ? 'no users\n' : formatted(found))
      }),
    )

  withJson(command.command('remove <name>'))
    .description('remove a user')
    .action((name: string, { json }: Json) =>
      over(async (users) => {
        await users.remove(name)
        out.write(json ? document({ removed: name }) : `removed ${name}\n`)
      }),
    )

  withJson(command.command('password <name>'))
    .description('set a new password for a user; the password is shown only once')
    .action((name: string, { json }: Json) => {
      const password = newPassword()
      return over(async (users) => {
        await users.password(name, password)
        out.write(json ? document({ user: name, password }) : `password  ${password}\n`)
      })
    })

  withJson(command.command('refresh'))
    .description('grant existing users of a ClickHouse server the views that newer releases added')
    .action(({ json }: Json) =>
      over(async (users) => {
        const count = await users.refresh()
        out.write(json ? document({ users: count }) : `${count} users have all views\n`)
      }),
    )
}

const formatted = (users: Awaited<ReturnType<SqlUsers['list']>>): string =>
  table(
    ['NAME', 'GROUPS', 'SECONDS', 'MEMORY', 'ROWS'],
    users.map(({ name, groups, seconds, memoryBytes, rows }) => [
      ...[name, groups.join(' '), String(seconds), `${Math.round(memoryBytes / 1024 ** 2)} MiB`, String(rows)],
    ]),
  )
