import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Command } from 'commander'
import { beforeAll, expect, test } from 'vitest'
import { registerGuide } from '../../../../cli/help/guide.ts'
import { ownFolder } from '../../../builders/suite/own-folder.ts'

const folder = ownFolder('guide')
beforeAll(() => {
  for (const page of ['use/search', 'operate/runbooks/lag', 'operate/search', 'contribute/adr/0001-x']) {
    mkdirSync(join(folder, page), { recursive: true })
    writeFileSync(join(folder, page, 'index.md'), `# ${page}\n`)
  }
})

async function guide(...words: string[]): Promise<string> {
  let printed = ''
  const program = new Command().exitOverride().configureOutput({ writeErr: () => undefined })
  registerGuide(program, folder, { write: (text: string) => (printed += text) })
  await program.parseAsync(['guide', ...words], { from: 'user' })
  return printed
}

test.each(['lag', 'operate/runbooks/lag', '/help/operate/runbooks/lag/', 'operate/runbooks/lag.md'])(
  'guide %s prints the page',
  async (named) => expect(await guide(named)).toBe('# operate/runbooks/lag\n'),
)

test('without a page it lists those of users', async () => {
  expect(await guide()).toBe('operate/runbooks/lag\noperate/search\nuse/search\n')
})

test('a page that is not there and a name of several are said', async () => {
  await expect(guide('../../package')).rejects.toThrow('there is no page ../../package; list them with: harrier guide')
  await expect(guide('search')).rejects.toThrow('search is the name of several pages: operate/search, use/search')
})
