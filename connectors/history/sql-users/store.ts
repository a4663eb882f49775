import type { History } from '../port.ts'
import { type KeptUser, readUsers, writeUsers } from './file.ts'
import { keepPassword } from './password.ts'
import {
  accountStatement,
  databaseOf,
  ledgerStatement,
  noteStatement,
  passwordStatement,
  placeStatements,
  removeStatements,
  viewStatements,
} from './server-users.ts'
import { type SqlUser, sqlUserFault } from './user.ts'

/** SQL users, wherever they are kept. Every change counts for the next query. */
export type SqlUsers = {
  /** @returns the database that the user finds its views in. @throws Error that names what is wrong, or taken */
  add(user: SqlUser, password: string, from: readonly string[]): Promise<string>
  list(): Promise<SqlUser[]>
  /** @throws Error when there is no such user */
  remove(name: string): Promise<void>
  /** @throws Error when there is no such user */
  password(name: string, password: string): Promise<void>
  /** Gives users of a server the views that are new since they were made. @returns how many users */
  refresh(): Promise<number>
  close(): Promise<void>
}

const requireValid = (user: SqlUser): SqlUser => {
  const fault = sqlUserFault(user)
  if (fault !== null) throw new Error(fault)
  return user
}

const known = <User extends SqlUser>(users: readonly User[], name: string): User => {
  const user = users.find((one) => one.name === name)
  if (user === undefined) throw new Error(`no such SQL user: '${name}'`)
  return user
}

/** Users of the embedded engine, which reads the file `path` again whenever it changes. */
export const fileUsers = (path: string, home: string): SqlUsers => {
  const change = async (how: (users: KeptUser[]) => KeptUser[]): Promise<void> =>
    writeUsers(path, how(await readUsers(path)))
  return {
    async add(user, password) {
      const kept = { ...requireValid(user), ...(await keepPassword(password)) }
      await change((users) => {
        if (users.some(({ name }) => name === user.name)) throw new Error(`the SQL user '${user.name}' already exists`)
        return [...users, kept]
      })
      return home
    },
    list: async () => (await readUsers(path)).map(({ salt: _, hash: __, ...user }) => user),
    remove: (name) =>
      change((users) => {
        const gone = known(users, name)
        return users.filter((user) => user !== gone)
      }),
    async password(name, password) {
      const kept = await keepPassword(password)
      await change((users) => {
        const old = known(users, name)
        return users.map((user) => (user === old ? { ...user, ...kept } : user))
      })
    },
    refresh: async () => 0,
    close: async () => undefined,
  }
}

/** Users of a ClickHouse server, made with the rights of the account of `history`; `home` has the views. */
export const serverUsers = (history: History, home: string): SqlUsers => {
  const all = async (statements: readonly string[]): Promise<void> => {
    for (const statement of statements) await history.command(statement)
  }
  const list = async (): Promise<SqlUser[]> => {
    await history.command(ledgerStatement(home))
    const sql = `SELECT user FROM ${home}.sql_users FINAL ORDER BY name`
    return (await history.query<{ user: string }>({ sql, params: {} })).map(({ user }) =>
      requireValid(JSON.parse(user)),
    )
  }
  const views = async (): Promise<string[]> => {
    const sql = `SELECT name FROM system.tables WHERE database = {home:String} AND match(name, '^bi_[a-z0-9_]+$') ORDER BY name`
    return (await history.query<{ name: string }>({ sql, params: { home } })).map(({ name }) => name)
  }
  return {
    async add(user, password, from) {
      requireValid(user)
      if ((await list()).some(({ name }) => name === user.name))
        throw new Error(`the SQL user '${user.name}' already exists`)
      // First, and alone: it fails when the server has an account of that name, which the platform must not delete.
      await history.command(accountStatement(user, password, from))
      try {
        await all([...placeStatements(user, await views(), home), noteStatement(user, home, false)])
      } catch (error) {
        await all(removeStatements(user.name))
        throw error
      }
      return databaseOf(user.name)
    },
    list,
    async remove(name) {
      const user = known(await list(), name)
      await all([...removeStatements(name), noteStatement(user, home, true)])
    },
    async password(name, password) {
      known(await list(), name)
      await history.command(passwordStatement(name, password))
    },
    async refresh() {
      const [users, names] = [await list(), await views()]
      for (const user of users) await all(viewStatements(user, names, home))
      return users.length
    },
    close: () => history.close(),
  }
}
