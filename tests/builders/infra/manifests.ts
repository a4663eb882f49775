import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { MEMORY_OF_JOBS } from '../../../platform/heap.ts'

const INFRA = fileURLToPath(new URL('../../../infra/', import.meta.url))

/** The text of a file under `infra/`. */
export const infra = (path: string): string => readFileSync(INFRA + path, 'utf8')

/** Paths under `infra/` of the files of a folder with this ending. */
export const infraFiles = (folder: string, ending: string): string[] =>
  readdirSync(INFRA + folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(ending))
    .map((name) => `${folder}/${name}`)

/** Whether a file of the repository exists. */
export const exists = (path: string): boolean => existsSync(`${INFRA}../${path}`)

/** The variables of an environment file. */
export const envFile = (path: string): Record<string, string> =>
  Object.fromEntries([...infra(path).matchAll(/^([A-Z_]+)=(.*)$/gm)].map(([, name, value]) => [name!, value!]))

/** What the C library reads of the environment of a role, as `up` gives it to the same role. */
export const memoryOf = (role: string): Record<string, string> =>
  ['observe', 'follow'].includes(role) ? MEMORY_OF_JOBS : {}

/** Those of these variables that the C library reads. */
export const memoryIn = (variables: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(variables).filter(([name]) => name.startsWith('MALLOC_')))

/** Every variable that the configuration knows. */
export const VARIABLES: ReadonlySet<string> = new Set(
  ['config.ts', 'oidc-settings.ts'].flatMap((file) =>
    [...infra(`../platform/${file}`).matchAll(/^ {2}([A-Z][A-Z_]+): /gm)].map(([, name]) => name!),
  ),
)
