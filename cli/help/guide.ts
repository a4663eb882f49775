import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { UsageError } from '../wiring/process/usage.ts'

const FILE = 'index.md'

/** The pages of the documentation in `folder`, by their address: `operate/runbooks/lag`. Decisions are for contributors. */
const pagesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith(`/${FILE}`) && !path.startsWith('contribute/adr/'))
    .map((path) => path.slice(0, -FILE.length - 1))
    .sort()

/**
 * Adds `guide` to the program: prints a page of the documentation, also where no platform runs that could show it below
 * `/help`.
 * @param folder where the site was built
 */
export function registerGuide(program: Command, folder: string, stdout: { write(text: string): unknown }): void {
  program
    .command('guide')
    .argument('[page]', 'address of a page or its last part, such as operate/runbooks/lag or lag')
    .description('print a page of the documentation; without a page, list them')
    .action((named: string | undefined) => {
      const pages = pagesIn(folder)
      if (named === undefined) return void stdout.write(pages.map((page) => `${page}\n`).join(''))
      const wanted = named.replace(/^\/?(?:help\/)?|\/$|(?:\/index)?\.md$/g, '')
      const found = pages.filter((page) => page === wanted || page.endsWith(`/${wanted}`))
      const page = found.find((one) => one === wanted) ?? (found.length === 1 ? found[0] : undefined)
      if (page === undefined)
        throw new UsageError(
          found.length === 0
            ? `there is no page ${named}; list them with: harrier guide`
            : `${named} is the name of several pages: ${found.join(', ')}`,
        )
      stdout.write(readFileSync(join(folder, page, FILE), 'utf8'))
    })
}
