import { randomUUID } from 'node:crypto'
import { open, readFile, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { KeptPassword } from './password.ts'
import { MAX_SQL_USERS, type SqlUser, sqlUserFault } from './user.ts'

export type KeptUser = SqlUser & KeptPassword

/** The users of a file; none when there is no file. @throws Error that names the file and what is wrong with it */
export const readUsers = async (path: string): Promise<KeptUser[]> => {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  if (text === null) return []
  let users: unknown
  try {
    users = JSON.parse(text)
  } catch (cause) {
    throw new Error(`${path} is not JSON`, { cause })
  }
  if (!Array.isArray(users) || users.length > MAX_SQL_USERS || !users.every(isKept))
    throw new Error(`${path} is not a list of SQL users`)
  return users
}

const isKept = (user: unknown): user is KeptUser => {
  if (typeof user !== 'object' || user === null) return false
  const { name, groups, salt, hash } = user as Record<string, unknown>
  const strings = [name, salt, hash].every((text) => typeof text === 'string')
  if (!strings || !Array.isArray(groups) || !groups.every((group) => typeof group === 'string')) return false
  return sqlUserFault(user as SqlUser) === null
}

/** Replaces the file as a whole, readable by its owner alone. */
export const writeUsers = async (path: string, users: readonly KeptUser[]): Promise<void> => {
  if (users.length > MAX_SQL_USERS) throw new Error(`the maximum of ${MAX_SQL_USERS} SQL users is reached`)
  const next = `${path}.${randomUUID()}`
  try {
    const file = await open(next, 'wx', 0o600)
    await file.writeFile(`${JSON.stringify(users, null, 2)}\n`)
    await file.sync()
    await file.close()
    await rename(next, path)
    const folder = await open(dirname(path))
    await folder.sync().finally(() => folder.close())
  } finally {
    await rm(next, { force: true })
  }
}
