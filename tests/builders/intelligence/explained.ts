import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import type { Platform } from '../platform/platform.ts'

/** Every number of the page that leads to a search, and what that search finds, as anybody may ask. */
async function figuresOf(page: Page, platform: Platform): Promise<{ shown: string; found: number }[]> {
  const links = await page.locator('main a[href^="/search?mode=advanced"]').all()
  const figures: { shown: string; found: number }[] = []
  for (const link of links) {
    const text = (await link.textContent()) ?? ''
    const shown = /^[\d,]+/.exec(text)?.[0]
    if (shown === undefined || text.endsWith('%')) continue
    const address = new URL((await link.getAttribute('href')) ?? '', platform.url)
    expect(address.searchParams.get('index')).toBe('entities')
    const body = JSON.parse(address.searchParams.get('dsl') ?? '')
    const { status, body: told } = await platform.ask('/api/search/v1/entities/advanced?limit=0', body, null)
    expect([status, body]).toEqual([200, body])
    figures.push({ shown: shown.replaceAll(',', ''), found: told.items })
  }
  return figures
}

/** Fails when a number leads to a search that finds another number of entities; how many were followed. */
export async function expectExplained(page: Page, platform: Platform): Promise<number> {
  const figures = await figuresOf(page, platform)
  expect(figures.map(({ shown }) => shown)).toEqual(figures.map(({ found }) => String(found)))
  return figures.length
}
