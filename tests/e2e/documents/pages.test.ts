import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Block, fencesOf, isRun, readerIn } from '../../builders/infra/page.ts'
import { unlikeShown } from '../../builders/infra/shown-output.ts'
import { commandWith } from '../../builders/platform/command.ts'
import { ADMINISTRATOR } from '../../builders/platform/platform.ts'
import { onOnePlatform, type Shared } from '../../builders/platform/shared.ts'

/**
 * Every block of every page that can run against a platform runs, in the order of the page, as the user that
 * `harrier init` made; answers are as the page shows them. `PAGES=use/search,start` walks these pages only.
 */
const CHOSEN = process.env.PAGES?.split(',') ?? ['']
const pages = readdirSync('docs', { recursive: true, encoding: 'utf8' })
  .filter((path) => /^[a-z]+\/.*\.md$/.test(path) && !path.startsWith('contribute/adr/'))
  .filter((path) => CHOSEN.some((chosen) => path.startsWith(chosen)))
  .sort()
  .map((path) => `docs/${path}`)

const isWalked = (block: Block): boolean =>
  isRun(block) || block.language === 'python' || (block.language === 'json' && block.info.startsWith('post='))

/** The variables that `harrier init` prints. */
const variablesOf = (printed: string): Record<string, string> =>
  Object.fromEntries([...printed.matchAll(/^export (\w+)='?(.*?)'?$/gm)].map(([, name, value]) => [name!, value!]))

const walk = (shared: Shared): void => {
  const { folder } = shared
  let env: Record<string, string> = {}

  beforeAll(async () => {
    const administrator = {
      HARRIER_ADMIN_KEY: ADMINISTRATOR['api-key'],
      HARRIER_ADMIN_SECRET: ADMINISTRATOR['api-secret'],
    }
    const made = await commandWith({ HARRIER_DATA_DIR: folder, ...administrator }, 'init')
    expect(made).toMatchObject({ code: 0 })
    env = variablesOf(made.stdout)
    expect(Object.keys(env)).toContain('HARRIER_API_SECRET')
  })

  describe.each(pages.filter((page) => fencesOf(page).some(isWalked)))('%s', (page) => {
    const blocks = fencesOf(page)
    let run: ReturnType<typeof readerIn>

    beforeAll(() => {
      const desk = join(folder, 'desk', page.replaceAll('/', '-'))
      mkdirSync(desk, { recursive: true })
      run = readerIn(desk, env)
    })

    const post = async ({ info, code }: Block) => {
      const path = info.slice('post='.length)
      const { HARRIER_API_KEY: key, HARRIER_API_SECRET: secret } = env
      const headers = { 'content-type': 'application/json', 'api-key': key!, 'api-secret': secret! }
      const answer = await fetch(`${env.HARRIER_URL}${path}`, { method: 'POST', headers, body: code })
      return { status: answer.status, text: await answer.text() }
    }

    test.each(blocks.filter(isWalked).map((block, at) => ({ block, title: `${at + 1}: ${block.section}` })))(
      '$title',
      async ({ block }) => {
        if (block.language === 'json') {
          const { status, text } = await post(block)
          return expect([status, text]).toEqual([expect.toSatisfy((code: number) => code >= 200 && code < 300), text])
        }
        const ran = await run(block)
        expect(ran, block.code).toMatchObject({ code: 0 })
        expect(ran.stdout).not.toMatch(/^\{"error":/m)
        expect(unlikeShown(blocks, block, ran), ran.stdout).toEqual([])
      },
      90_000,
    )
  })
}

onOnePlatform({ 'blocks of the pages': walk })
