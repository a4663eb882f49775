import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * What the engine itself lets a statement do. It has one user, and no statement of SQL makes another; but it reads users
 * and roles from a file. All statements begin with the rights of the platform; those of SQL users give them up for
 * those of the role `analyst` before they run.
 */

/** Databases that SQL users may read; no other database may have such a name. */
export const CONFINED = 'confined_'
export const ANALYST = 'analyst'

/** SOURCES are files, URLs, other servers and programs: the platform reads none of them through the engine. */
const USERS = `<clickhouse>
  <profiles><default></default></profiles>
  <quotas><default></default></quotas>
  <roles>
    <platform><grants><query>GRANT ALL ON *.* WITH GRANT OPTION</query><query>REVOKE SOURCES ON *.*</query></grants></platform>
    <${ANALYST}><grants><query>GRANT SELECT ON ${CONFINED}*.*</query></grants></${ANALYST}>
  </roles>
  <users>
    <default>
      <password></password>
      <networks><ip>::/0</ip></networks>
      <profile>default</profile>
      <quota>default</quota>
      <grants><query>GRANT platform</query><query>GRANT ${ANALYST}</query></grants>
    </default>
  </users>
</clickhouse>
`

const xml = (text: string): string => text.replace(/[&<>]/g, (c) => `&#${c.charCodeAt(0)};`)

/** Leaves a file as it is that holds this: an engine that has the folder open reads it again when it changes. */
const write = (path: string, text: string): void => {
  if (!existsSync(path) || readFileSync(path, 'utf8') !== text) writeFileSync(path, text, { mode: 0o600 })
}

/**
 * Writes the rights below the folder of the engine.
 * @param dir an absolute path
 * @returns the file that the engine is started with
 */
export const writeRights = (dir: string): string => {
  const folder = join(dir, 'rights')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const [users, config] = [join(folder, 'users.xml'), join(folder, 'config.xml')]
  write(users, USERS)
  write(config, `<clickhouse><users_config>${xml(users)}</users_config></clickhouse>\n`)
  return config
}
