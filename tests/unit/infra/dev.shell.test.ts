import { execFileSync, spawnSync } from 'node:child_process'
import { accessSync, chmodSync, constants, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const SCRATCH = join(ROOT, 'infra/dev/scratch.sh')
const scripts = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '*.sh', '.ci/run'], {
  cwd: ROOT,
  encoding: 'utf8',
})
  .trim()
  .split('\n')

for (const script of scripts)
  test(`${script} is readable by bash and may be run`, () => {
    accessSync(join(ROOT, script), constants.X_OK)
    expect(spawnSync('bash', ['-n', script], { cwd: ROOT, encoding: 'utf8' })).toMatchObject({ status: 0, stderr: '' })
  })

describe('the folder for the files of tests', () => {
  /** What is printed where these programs answer as given: a body of a shell script, by the program's name. */
  const scratch = (programs: Record<string, string>, env: Record<string, string> = {}): string => {
    const folder = mkdtempSync(join(tmpdir(), 'harrier-path-'))
    try {
      const given = { df: 'printf "Avail\\n99999999\\n"', awk: 'echo 99999999', stat: 'echo tmpfs', grep: 'exit 1' }
      for (const [name, body] of Object.entries({ ...given, ...programs })) {
        writeFileSync(join(folder, name), `#!/bin/sh\n${body}\n`)
        chmodSync(join(folder, name), 0o700)
      }
      const PATH = `${folder}:${process.env.PATH}`
      return execFileSync(SCRATCH, { encoding: 'utf8', env: { PATH, ...env } }).trim()
    } finally {
      rmSync(folder, { recursive: true })
    }
  }

  test.skipIf(!existsSync('/dev/shm'))('is in memory where there is room', () => expect(scratch({})).toBe('/dev/shm'))

  test.each([
    ['too little is free there', { df: 'printf "Avail\\n65536\\n"' }],
    ['the machine has too little memory', { awk: 'echo 4000000' }],
    ['it is no memory', { stat: 'echo ext2/ext3' }],
    ['programs may not run there', { grep: 'exit 0' }],
    ['the system does not say', { awk: 'exit 2', df: 'exit 1', stat: 'exit 1' }],
  ])('is the usual one where %s', (_, programs) => {
    expect(scratch(programs)).toBe('/tmp')
    expect(scratch(programs, { TMPDIR: '/var/tmp' })).toBe('/var/tmp')
  })
})
