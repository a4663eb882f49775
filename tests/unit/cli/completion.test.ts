import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bashScript, fishScript } from '../../../cli/completion/register.ts'
import { placesOf } from '../../../cli/completion/tree.ts'
import { zshScript } from '../../../cli/completion/zsh.ts'
import { harrier } from '../../../cli/program.ts'

const { stdin, stdout, stderr } = process
const folder = mkdtempSync(join(tmpdir(), 'harrier-completion-'))
afterAll(() => rmSync(folder, { recursive: true }))

const program = await harrier({ env: {}, stdin, stdout, stderr, signal: new AbortController().signal })
const places = placesOf(program)
const scripts = {
  bash: join(folder, 'harrier.bash'),
  zsh: join(folder, '_harrier'),
  fish: join(folder, 'harrier.fish'),
}

beforeAll(() => {
  writeFileSync(scripts.bash, bashScript(places))
  writeFileSync(scripts.zsh, zshScript(places))
  writeFileSync(scripts.fish, fishScript(places))
})

const has = (shell: string): boolean => {
  try {
    execFileSync(shell, ['-c', 'true'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

const run = (shell: string, script: string): string[] =>
  execFileSync(shell, shell === 'bash' ? ['--norc', '-c', script] : ['-c', script], {
    encoding: 'utf8',
    cwd: folder,
    env: { PATH: process.env.PATH ?? delimiter, HOME: folder },
  })
    .split('\n')
    .filter(Boolean)

const lines = [
  { line: 'harrier fe', offers: ['feed'] },
  { line: 'harrier feed im', offers: ['import'] },
  { line: 'harrier audit ', offers: ['tail', 'export', 'verify', '--help'] },
  { line: 'harrier audit export --format ', offers: ['ocsf', 'ndjson'] },
  { line: 'harrier feed import --format st', offers: ['stix'] },
  { line: 'harrier user create --full', offers: ['--full-name'] },
  { line: 'harrier completion ', offers: ['bash', 'fish', 'zsh', '--help'] },
  { line: 'harrier nothing ', offers: null },
]

describe('the scripts', () => {
  test('know every command and option of the program', () => {
    for (const { path, flags } of places) {
      const name = path.split(' ').at(-1)!
      for (const script of [bashScript(places), zshScript(places), fishScript(places)]) expect(script).toContain(name)
      for (const { names } of flags) expect(bashScript(places)).toContain(names[0])
    }
  })
})

describe.runIf(has('bash'))('in bash', () => {
  const offered = (line: string): string[] => {
    const words = line.split(' ')
    const typed = words.map((word) => `'${word}'`).join(' ')
    return run(
      'bash',
      `source ${scripts.bash}; COMP_WORDS=(${typed}); COMP_CWORD=${words.length - 1}; _harrier; printf '%s\\n' "\${COMPREPLY[@]}"`,
    )
  }

  test.each(lines)('$line', ({ line, offers }) => {
    const found = offered(line)
    if (offers === null) expect(found).toContain('feed')
    else expect(found.sort()).toEqual([...offers].sort())
  })

  test('is the completion of the program once it is read', () => {
    expect(run('bash', `source ${scripts.bash}; complete -p harrier`)).toEqual([
      'complete -o default -F _harrier harrier',
    ])
  })
})

/** Without the shell the script is not tried; .ci/run installs both. */
describe.skipIf(!has('zsh'))('in zsh, which has to be installed for this', () => {
  test('is read without a complaint, as a function and by source', () => {
    expect(
      run(
        'zsh',
        `setopt no_global_rcs; zsh -n ${scripts.zsh}; autoload -U compinit; compinit -D; source ${scripts.zsh}; print $_comps[harrier]`,
      ),
    ).toEqual(['_harrier'])
  })

  test.each(lines.filter(({ offers }) => offers !== null))('$line', ({ line, offers }) => {
    // What would be offered is caught where the shell is told of it.
    const catching = `
      compdef() {}; source ${scripts.zsh}
      _describe() { local name=$@[-1]; print -l -- \${(P)name%%:*} }
      compadd() { shift; print -l -- $@ }
      _files() { print files }
      words=(${line
        .split(' ')
        .map((word) => `'${word}'`)
        .join(' ')}); CURRENT=$#words; PREFIX=$words[-1]; _harrier`
    const start = line.split(' ').at(-1)!
    const found = run('zsh', catching).filter((word) => word.startsWith(start))
    expect(found.sort()).toEqual(offers!.filter((word) => start.startsWith('-') || !word.startsWith('-')).sort())
  })
})

describe.skipIf(!has('fish'))('in fish, which has to be installed for this', () => {
  test.each(lines.filter(({ offers }) => offers !== null))('$line', ({ line, offers }) => {
    const found = run('fish', `source ${scripts.fish}; complete -C '${line}'`).map((one) => one.split('\t')[0]!)
    expect(found.sort()).toEqual(offers!.filter((word) => line.includes(' --') || !word.startsWith('-')).sort())
  })
})
