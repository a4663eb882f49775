/** The packages that a manifest names, for an installation that fetches nothing. */

import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ROOT } from './image.ts'

type Named = { dependencies?: Record<string, string>; optionalDependencies?: Record<string, string> }

const named = ({ dependencies, optionalDependencies }: Named): string[] =>
  Object.keys({ ...dependencies, ...optionalDependencies })

/** Folders of what a manifest needs, and what that needs in turn, as the lock of this checkout has them. */
function neededBy(manifest: Named): string[] {
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, Named>
  }
  const found = new Set<string>()
  // Looked for as Node does: beside, then further up.
  const find = (name: string, from: string): void => {
    const place = join(from, 'node_modules', name)
    if (packages[place] === undefined) {
      if (from !== '') find(name, from.slice(0, Math.max(0, from.lastIndexOf('node_modules/') - 1)))
    } else if (!found.has(place)) {
      found.add(place)
      for (const next of named(packages[place])) find(next, place)
    }
  }
  for (const name of named(manifest)) find(name, '')
  return [...found]
}

/**
 * Puts what a manifest names into `folder`, as npm would have: it finds them there and fetches none. Folders are its own,
 * so that npm takes them for installed; their files are links to those of the checkout.
 * @param folder outside of the checkout, whose packages would be found from within
 */
export function installInto(folder: string, manifest: Named): void {
  for (const path of neededBy(manifest)) {
    // Those for other systems are not installed, and what is inside of another comes with it.
    if (path.lastIndexOf('node_modules/') > 0 || !existsSync(join(ROOT, path))) continue
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    execFileSync('cp', ['-as', join(ROOT, path), join(folder, path)])
  }
  // Without the links of their programs, npm installs them again.
  cpSync(join(ROOT, 'node_modules/.bin'), join(folder, 'node_modules/.bin'), {
    recursive: true,
    verbatimSymlinks: true,
  })
}
