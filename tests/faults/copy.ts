import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

const git = (root: string, ...args: string[]): string => execFileSync('git', args, { cwd: root, encoding: 'utf8' })
const lines = (text: string): string[] => text.split('\n').filter((line) => line !== '')

/**
 * A copy of a checkout as it is, with what is not committed, that shares its packages: faults are planted there, so that
 * nobody's files change. `remove` may be called twice.
 */
export function copyOf(root: string): { folder: string; remove: () => void } {
  const folder = join(mkdtempSync(join(tmpdir(), 'harrier-faults-')), 'checkout')
  git(root, 'worktree', 'add', '--quiet', '--detach', folder, 'HEAD')
  const changed = [
    ...lines(git(root, 'diff', '--name-only', '--no-renames', 'HEAD')),
    ...lines(git(root, 'ls-files', '--others', '--exclude-standard')),
  ]
  for (const path of changed) {
    rmSync(join(folder, path), { force: true })
    if (!existsSync(join(root, path))) continue
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    cpSync(join(root, path), join(folder, path))
  }
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  return {
    folder,
    remove() {
      rmSync(dirname(folder), { recursive: true, force: true })
      git(root, 'worktree', 'prune')
    },
  }
}
