import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { entityId } from '../../../../schemas/intelligence/entities/id.ts'
import { expectAccessible, expectFits, picture } from '../../../builders/console/browser.ts'
import type { OpenedConsole } from '../../../builders/console/console.ts'
import { holdSession } from '../../../builders/console/held-session.ts'
import { PATIENCE } from '../../../builders/console/patience.ts'
import { command } from '../../../builders/platform/command.ts'
import { ADMINISTRATOR, eventually } from '../../../builders/platform/platform.ts'

/** A feed that turned out bad is taken back under Sources: what it listed leaves the published feed. */
const FEEDS = '/api/feeds/v1/feeds'

export const retractTests = ({ folder, platform, newPage }: OpenedConsole) =>
  describe('retraction of a feed', () => {
    test('is previewed, then done, and what the feed listed is gone from a published list', async () => {
      const selector = { types: ['url'], reputation: { lte: -1 } }
      const { body: kept } = await platform.ask(FEEDS, { name: 'by hand', selector })
      const { body: feed } = await platform.ask(FEEDS, { name: 'bad', selector, guard: null })
      const told = async () => (await platform.ask(`${FEEDS}/${feed.id}`)).body
      // What comes while a list is filled for the first time may be part of the filling, and is no delta then.
      await eventually(told, ({ state }) => state === 'live')
      const file = join(folder, 'list.txt')
      writeFileSync(file, 'https://bad.example/1\nhttps://bad.example/2\nhttps://bad.example/3\n')
      expect(await command(folder, 'feed', 'import', file, '--format', 'lines', '--feed', 'bad-list')).toMatchObject({
        code: 0,
      })
      await eventually(told, ({ items }) => items === 3)

      await eventually(
        async () => (await platform.ask(`${FEEDS}/${kept.id}`)).body,
        ({ items }) => items === 3,
      )
      expect((await platform.ask(`${FEEDS}/${kept.id}/hold`, {})).status).toBe(202)
      const seen = await newPage()
      const { page } = seen
      await holdSession(page, ADMINISTRATOR)
      await page.goto('/operations/sources')
      const open = page.getByRole('button', { name: 'Retract reports of bad-list' })
      await open.click(PATIENCE)
      await page.keyboard.press('Escape')
      await expect.poll(() => open.evaluate((one) => one === one.ownerDocument.activeElement)).toBe(true)
      for (const width of [1280, 390]) {
        await page.setViewportSize({ width, height: 800 })
        await expectFits(page)
        // The table takes its narrow form a frame or two after the window has its width.
        const inside = async () => {
          const { x, width: wide } = (await open.boundingBox())!
          return x >= 0 && x + wide <= width
        }
        await expect.poll(inside, { timeout: 5_000, message: `the button is in a window of ${width}` }).toBe(true)
      }
      await page.setViewportSize({ width: 1280, height: 800 })
      await picture(page, 'operations-sources-button')
      await open.click(PATIENCE)
      const dialog = page.getByRole('dialog')
      const retract = dialog.getByRole('button', { name: 'Retract', exact: true })
      expect(await retract.isDisabled()).toBe(true)
      await dialog.getByLabel('Reason').fill('it was sold')
      await dialog.getByRole('button', { name: 'Preview' }).click()
      await dialog.getByText('3 would be retracted').waitFor(PATIENCE)
      expect((await told()).items).toBe(3)
      await expectAccessible(page)
      await picture(page, 'operations-sources-retract')
      await retract.click()
      await dialog.getByText('3 retracted, 0 retracted before; 3 scores changed').waitFor(PATIENCE)
      await eventually(told, ({ items }) => items === 0)
      await dialog.getByTestId('held-feeds').getByText('by hand: 3 items, 0 when', { exact: false }).waitFor(PATIENCE)
      await picture(page, 'operations-sources-retracted')
      const { body: last } = await platform.ask(`${FEEDS}/${feed.id}/delta/latest`)
      expect(last.items.slice(0, 3).map(({ op, reason }: Record<string, string>) => `${op} ${reason}`)).toEqual(
        Array(3).fill('remove retracted'),
      )

      const entity = await newPage()
      await holdSession(entity.page, ADMINISTRATOR)
      await entity.page.goto(`/entity/${entityId('url', 'https://bad.example/1')}?tab=history`)
      await entity.page
        .getByTestId('retracted')
        .getByText('All reports that you may read were retracted')
        .waitFor(PATIENCE)
      await entity.page.getByText('retracted: does not count').waitFor(PATIENCE)
      await entity.page.getByText('1 of them retracted', { exact: false }).waitFor(PATIENCE)
      expect(await entity.page.getByText('feed bad-list').count()).toBe(1)
      await expectAccessible(entity.page)
      await picture(entity.page, 'entity-retracted')
      await entity.close()

      await dialog.getByRole('button', { name: 'Preview' }).click()
      await dialog.getByText('0 would be retracted, 3 retracted before').waitFor(PATIENCE)
      expect(await retract.isDisabled()).toBe(true)
      expect([...seen.complaints]).toEqual([])
      await seen.close()

      const verified = await command(folder, 'feed', 'verify')
      expect(verified).toMatchObject({ code: 0, stdout: expect.stringContaining('0 items, sequence 6: right') })
    })
  })
