import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ownFolder } from '../../../builders/suite/own-folder.ts'
import { copyOf } from '../../../faults/copy.ts'

const root = ownFolder('checkout')

const git = (...args: string[]): string => execFileSync('git', args, { cwd: root, encoding: 'utf8' })
const write = (name: string, text: string): void => writeFileSync(join(root, name), text)

test('a copy has what is changed, new and removed, shares the packages, and leaves nothing behind', () => {
  git('init', '--quiet')
  for (const name of ['kept', 'changed', 'removed']) write(name, 'before')
  write('.gitignore', 'node_modules\n')
  git('add', '.')
  git('-c', 'user.name=t', '-c', 'user.email=t@example.com', 'commit', '--quiet', '-m', 'a')
  write('changed', 'after')
  write('new', 'after')
  rmSync(join(root, 'removed'))
  mkdirSync(join(root, 'node_modules'))
  write('node_modules/package', 'a package')

  const { folder, remove } = copyOf(root)
  const text = (name: string): string => readFileSync(join(folder, name), 'utf8')
  expect(['kept', 'changed', 'new', 'node_modules/package'].map(text)).toEqual([
    'before',
    'after',
    'after',
    'a package',
  ])
  expect(existsSync(join(folder, 'removed'))).toBe(false)
  writeFileSync(join(folder, 'kept'), 'a fault')
  expect(readFileSync(join(root, 'kept'), 'utf8')).toBe('before')

  remove()
  expect(existsSync(folder)).toBe(false)
  expect(git('worktree', 'list').trim().split('\n')).toHaveLength(1)
  expect(readFileSync(join(root, 'node_modules/package'), 'utf8')).toBe('a package')
})
