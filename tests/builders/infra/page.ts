/** The commands of a page of the documents, run as a reader types them. */

import { spawn } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Ran } from '../platform/command.ts'
import { HARRIER } from '../platform/command.ts'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
/** Where the pages say that a platform is. */
const STATED = 'http://127.0.0.1:8080'

/** The commands of one fence, and the heading above it. */
export type Block = { section: string; code: string }

/** The fences of shell commands of a page, in their order. @param path from the root of the tree */
export function blocksOf(path: string): Block[] {
  const sections = `\n${readFileSync(join(ROOT, path), 'utf8')}`.split(/\n#{1,3} /)
  return sections.flatMap((text) =>
    [...text.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, code]) => ({ section: text.split('\n')[0]!, code: code! })),
  )
}

/** What only the reader can fill in: a key pair. */
const PLACEHOLDER = /^export .*=\.\.\..*\n/gm

/** As this machine runs it: the command line of this checkout, and the platform at `url`. */
const asRun = (code: string, url: string): string =>
  code.replace(PLACEHOLDER, '').replaceAll('npm run harrier --', 'harrier').replaceAll(STATED, url)

/** A reader at a shell: what one block sets, the next ones find. `folder`: an empty one to work in. */
export function readerIn(folder: string, url: string, env: Record<string, string>) {
  const bin = join(folder, 'bin')
  mkdirSync(bin)
  writeFileSync(join(bin, 'harrier'), `#!/bin/sh\nexec '${process.execPath}' '${HARRIER}' "$@"\n`)
  chmodSync(join(bin, 'harrier'), 0o700)
  const home = { ...process.env, HARRIER_LOG_LEVEL: 'warn', ...env, PATH: `${bin}:${process.env.PATH}` }
  return ({ code }: Block): Promise<Ran> => {
    const script = `set -euo pipefail; if [ -f .kept ]; then . ./.kept; fi; set -a
${asRun(code, url)}
set +a; { export -p; declare -f; } > .kept`
    const child = spawn('bash', ['-c', script], { cwd: folder, env: home, stdio: ['ignore', 'pipe', 'pipe'] })
    const ran: Ran = { code: null, stdout: '', stderr: '' }
    child.stdout.on('data', (chunk) => (ran.stdout += chunk))
    child.stderr.on('data', (chunk) => (ran.stderr += chunk))
    return new Promise((resolve, reject) => {
      child.once('error', reject)
      child.once('close', (code) => resolve({ ...ran, code }))
    })
  }
}
