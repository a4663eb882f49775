import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { ROOT } from './image.ts'

/** Paths of the files of the repository from its root; those that git does not ignore. */
export const repositoryFiles = (): string[] =>
  execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: ROOT, encoding: 'utf8' })
    .split('\n')
    .filter((path) => path !== '' && existsSync(ROOT + path))

/** Code and configuration, as far as its text cites documents. */
const CODE = /\.(ts|tsx|js|css|sql|sh|ya?ml|json|xml|toml)$|(^|\/)(Makefile|Dockerfile|run)$/

/** Paths of the files that may cite a document: code and documents, without the lock file of npm. */
export const citingFiles = (): string[] =>
  repositoryFiles().filter((path) => (CODE.test(path) || path.endsWith('.md')) && path !== 'package-lock.json')
