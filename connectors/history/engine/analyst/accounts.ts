import { createHmac, randomBytes } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { LRUCache } from 'lru-cache'
import { type KeptUser, readUsers } from '../../sql-users/file.ts'
import { isPassword, keepPassword, newPassword } from '../../sql-users/password.ts'
import { slots } from '../slots.ts'

/** Passwords that were right lately are known by a keyed digest, so that not every request costs a scrypt. */
const REMEMBERED = 1000
/** Attempts that may wait: each takes 50 ms of one core. */
const WAITING = 50

export type SqlAccounts = {
  /** The user with this name and password, by the file as it is now; undefined otherwise. */
  of(name: string, password: string): Promise<KeptUser | undefined>
}

/** SQL users of the file `path`, which is read again when it has changed. */
export const sqlAccounts = (path: string): SqlAccounts => {
  const key = randomBytes(32)
  const attempts = slots(1, WAITING)
  const right = new LRUCache<string, true>({ max: REMEMBERED })
  let seen = ''
  let users = new Map<string, KeptUser>()
  const placeholder = keepPassword(newPassword())

  const current = async (): Promise<Map<string, KeptUser>> => {
    const found = await stat(path).catch(() => null)
    const now = found === null ? 'none' : `${found.ino} ${found.size} ${found.mtimeMs}`
    if (now !== seen) {
      users = new Map((await readUsers(path)).map((user) => [user.name, user]))
      right.clear()
      seen = now
    }
    return users
  }

  return {
    async of(name, password) {
      const user = (await current()).get(name)
      const kept = user ?? (await placeholder)
      const sign = createHmac('sha256', key)
        .update(JSON.stringify([name, kept.salt, kept.hash, password]))
        .digest('hex')
      if (user !== undefined && right.get(sign)) return user
      // An unknown name takes as long as a wrong password.
      const is = await attempts.use(() => isPassword(password, kept))
      if (user === undefined || !is) return undefined
      right.set(sign, true)
      return user
    },
  }
}
