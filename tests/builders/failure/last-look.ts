import type { Page } from 'playwright-core'
import { onTestFailed, TestRunner } from 'vitest'
import { tellFirst } from './tell-first.ts'

const TEXT_CHARACTERS = 1_500
/** The last ones: a page that is left ends its requests. */
const REQUESTS = 5

/**
 * When the test that opened `page` fails, its message begins with what went wrong in the page and with what it shows.
 * A page that a hook opened tells nothing.
 */
export function tellLastLook(page: Page, complaints: readonly string[]): void {
  if (TestRunner.getCurrentTest() === undefined) return
  const failed: string[] = []
  page.on('requestfailed', (request) => failed.push(`${request.url()} ${request.failure()?.errorText}`))
  onTestFailed(async ({ task }) => {
    const shown = page.locator('main').or(page.locator('body')).last().allInnerTexts()
    const texts = await shown.catch(({ message }: Error) => [`not read: ${message}`])
    const text = texts.join().replace(/\s+/g, ' ').slice(0, TEXT_CHARACTERS)
    const wrong = [...complaints, ...failed.slice(-REQUESTS)].join('; ') || 'nothing'
    const told = `complaints: ${wrong}\n${page.url()} shows: ${text}\n`
    tellFirst(task, told)
  })
}
