import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { expectAccessible, expectFits, expectLegible, picture } from '../../../builders/console/browser.ts'
import type { OpenedConsole } from '../../../builders/console/console.ts'
import { PATIENCE } from '../../../builders/console/patience.ts'
import { expectExplained } from '../../../builders/intelligence/explained.ts'
import { lag } from '../../../builders/platform/lag.ts'
import { eventually } from '../../../builders/platform/platform.ts'

/** Of a platform to which nothing was reported. */
export const attributionOfNothingTests = ({ newPage }: OpenedConsole) =>
  describe('attribution of nothing', () => {
    test('of nothing says so', async () => {
      const { page, complaints, close } = await newPage()
      await page.goto('/attribution')
      await page.getByText('No malicious address or network has a known location').waitFor(PATIENCE)
      expect(await page.getByRole('button', { name: 'CSV' }).isDisabled()).toBe(true)
      await page.getByRole('link', { name: 'Show all addresses and networks' }).click()
      await page.getByText('No address or network has a known location').waitFor(PATIENCE)
      await picture(page, 'attribution-nothing')
      expect(complaints).toEqual([])
      await close()
    })
  })

/** Where addresses and networks are: as reported, and as the IP database says. */
export const attributionTests = ({ platform, newPage }: OpenedConsole) =>
  describe('attribution', () => {
    const report = async (type: string, value: string, attributes: object, reputation: number): Promise<void> => {
      const body = { type, attributes: { [type]: value, ...attributes }, reputation }
      expect((await platform.ask('/api/ingest/v1/entity', body)).status).toBe(202)
    }
    const answer = async (query = '') =>
      (await platform.ask(`/api/analytics/v1/attribution${query}`, undefined, null)).body
    const rows = async (page: Page, dimension: string) =>
      Promise.all(
        (await page.getByTestId(dimension).getByTestId('bar').all()).map(async (bar) => ({
          key: await bar.getAttribute('data-key'),
          count: Number(await bar.getByTestId('count').textContent()),
        })),
      )

    test('has the numbers of the platform, each with its search, and hands them out as CSV', async () => {
      const aso = 'Example, "Net" & Co'
      await report('ip', '203.0.113.1', { country: 'Germany', asn: 64500, aso }, -3)
      await report('ip', '203.0.113.2', { country: 'Germany', asn: 64500, aso }, -2)
      await report('cidr', '198.51.100.0/24', { country: 'France', asn: 64501 }, -1)
      await report('ip', '203.0.113.3', { country: 'France' }, 2)
      await report('ip', '203.0.113.4', {}, -3)
      // Too small for the map.
      await report('ip', '203.0.113.5', { country: 'Singapore' }, -1)
      // By the IP database.
      for (const ip of ['8.8.8.8', '1.1.1.1', '9.9.9.9']) await report('ip', ip, {}, -1)
      // Of no type that is attributed.
      await report('domain', 'example.com', {}, -3)
      await eventually(
        () => lag(platform.url),
        (left) => left === 0,
      )
      const { page, complaints, close } = await newPage()
      await page.goto('/attribution')
      await page.getByTestId('total').waitFor(PATIENCE)
      expect(await page.getByTestId('total').textContent()).toBe('8 malicious addresses and networks')
      const malicious = await answer()
      expect(malicious.by_country.find(({ key }: { key: string }) => key === 'Germany')).toEqual({
        key: 'Germany',
        count: 2,
      })
      for (const dimension of ['country', 'asn'])
        expect(await rows(page, dimension)).toEqual(malicious[`by_${dimension}`])
      const system = page.getByTestId('asn').locator('[data-key="64500"]')
      await expect.poll(() => system.textContent(), PATIENCE).toContain('AS 64500, example, "net" & co')
      await page.getByTestId('map').waitFor(PATIENCE)
      const countries = await page.getByTestId('country-of-map').all()
      const told = await Promise.all(
        countries.map(async (one) => (await one.getAttribute('title')) ?? (await one.locator('title').textContent())),
      )
      expect(told.sort()).toEqual(
        malicious.by_country
          .map(
            ({ key, count }: { key: string; count: number }) =>
              `${key}: ${count} ${count === 1 ? 'entity' : 'entities'}`,
          )
          .sort(),
      )
      await page.locator('[data-code=DE]').waitFor()
      const small = page.locator('[data-code=SG]')
      expect(await small.textContent()).toBe('Singapore 1')
      expect(await page.locator('[data-key="64500"] [data-testid=share]').textContent()).toBe('25.0%')
      expect(await page.getByTestId('chart').count()).toBe(2)
      for (const chart of await page.getByTestId('chart').all()) await chart.locator('svg').waitFor(PATIENCE)
      expect(await page.getByTestId('country').getByTestId('chart').textContent()).toContain('Germany')
      expect(await expectExplained(page, platform)).toBe(1 + malicious.by_country.length + malicious.by_asn.length)
      await expectAccessible(page)
      await picture(page, 'attribution')

      const saving = page.waitForEvent('download')
      await page.getByRole('button', { name: 'CSV' }).click()
      const saved = await saving
      expect(saved.suggestedFilename()).toBe(
        `harrier-attribution-malicious-${new Date().toISOString().slice(0, 10)}.csv`,
      )
      const lines = readFileSync(await saved.path(), 'utf8').split('\r\n')
      expect(lines[0]).toBe('dimension,key,organisation,entities,share,malicious_only,since')
      expect(lines).toContain('country,Germany,,2,0.2500,true,')
      expect(lines).toContain('asn,64500,"example, ""net"" & co",2,0.2500,true,')
      expect(lines).toHaveLength(2 + malicious.by_country.length + malicious.by_asn.length)

      await page.getByText('All', { exact: true }).click()
      await expect.poll(() => page.getByTestId('total').textContent(), PATIENCE).toBe('9 addresses and networks')
      await page.getByLabel('Rows per list').selectOption('10')
      expect(new URL(page.url()).search).toBe('?scope=all&size=10')
      const all = await answer('?malicious_only=false&size=10')
      await expect.poll(() => rows(page, 'country'), PATIENCE).toEqual(all.by_country)

      // All of it was seen today: the period has the same numbers, by way of the search.
      await page.getByText('7 days', { exact: true }).click()
      await expect.poll(() => page.getByTestId('total').textContent(), PATIENCE).toContain('last seen since 20')
      await expect.poll(() => rows(page, 'country'), PATIENCE).toEqual(all.by_country)
      expect(await rows(page, 'asn')).toEqual(all.by_asn)
      expect(new URL(page.url()).search).toBe('?scope=all&size=10&days=7')
      expect(await expectExplained(page, platform)).toBeGreaterThan(5)
      await picture(page, 'attribution-period')
      expect(complaints).toEqual([])
      await close()
    })

    test('in the dark and on a small screen', async () => {
      const { page, complaints, close } = await newPage({
        colorScheme: 'dark',
        viewport: { width: 390, height: 740 },
      })
      await page.goto('/attribution?scope=all')
      await page.getByTestId('country').getByTestId('chart').locator('svg').waitFor(PATIENCE)
      await expectFits(page)
      await expectLegible(page)
      await picture(page, 'attribution-dark-390')
      expect(complaints).toEqual([])
      await close()
    })
  })
