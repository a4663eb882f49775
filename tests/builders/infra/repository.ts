import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { ROOT } from './image.ts'

/** Paths of the files of the repository from its root; those that git does not ignore. */
export const repositoryFiles = (): string[] =>
  execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: ROOT, encoding: 'utf8' })
    .split('\n')
    .filter((path) => path !== '' && existsSync(ROOT + path))
