import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { History } from '../port.ts'
import type { Deployment } from './macros.ts'

export type ViewOptions = Deployment & {
  /** Where the views are made; default `harrier`. */
  home?: string
  /** Default: `infra/clickhouse/views`. */
  folder?: string
}

const FOLDER = fileURLToPath(new URL('../../../infra/clickhouse/views', import.meta.url))
const FILE = /^((?:bi|sql)_[a-z0-9_]+)\.sql$/
const DATABASE = /^[a-z_]\w{0,60}$/i
const MACRO = /\$([a-z]+)\(([a-z0-9_]+)\)/g

/**
 * The statement of a view: `$view(x)` is where it is made, `$of(x)` the table x of the generation that it reads.
 * @throws Error that names an unknown macro, or a view that is not the one of the file
 */
export const viewStatement = (sql: string, view: string, live: string, options: ViewOptions): string => {
  const on = options.mode === 'cluster' ? ` ON CLUSTER '${options.cluster}'` : ''
  const text = sql.replace(/^\s*--.*$/gm, '').replace(MACRO, (_, macro: string, name: string) => {
    if (macro === 'of') return `${live}.${name}`
    if (macro !== 'view') throw new Error(`unknown macro $${macro} in a view`)
    if (name !== view) throw new Error(`${view}.sql creates a view with another name: ${name}`)
    return `${options.home ?? 'harrier'}.${name}${on}`
  })
  return text.trim().replace(/;$/, '')
}

/**
 * Makes the views for analysts (docs/integrate/sql-views.md) in the home database, over the tables of the database `live`; those that are
 * there are replaced, each at once. Called after the migrations, and whenever another generation becomes the live one.
 * @returns the names of the views
 * @throws Error that names a file that is no view
 */
export const applyViews = async (
  history: Pick<History, 'command'>,
  live: string,
  options: ViewOptions,
): Promise<string[]> => {
  for (const name of [live, options.home ?? 'harrier'])
    if (!DATABASE.test(name)) throw new Error(`'${name}' is not a valid database name`)
  if (options.mode === 'cluster' && !/^[\w.-]{1,100}$/.test(options.cluster))
    throw new Error(`'${options.cluster}' is not a valid cluster name`)
  const folder = options.folder ?? FOLDER
  const views = (await readdir(folder)).sort().map((file) => {
    const view = FILE.exec(file)?.[1]
    if (view === undefined) throw new Error(`view '${file}' is not named bi_words.sql or sql_words.sql`)
    return { file, view }
  })
  // None reads another.
  await Promise.all(
    views.map(async ({ file, view }) =>
      history.command(viewStatement(await readFile(join(folder, file), 'utf8'), view, live, options)),
    ),
  )
  return views.map(({ view }) => view)
}
