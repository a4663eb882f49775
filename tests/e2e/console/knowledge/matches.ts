import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { entityId } from '../../../../schemas/intelligence/entities/id.ts'
import { newUserOf, type User } from '../../../builders/accounts/users.ts'
import { expectAccessible, expectFits, expectLegible, picture, visit } from '../../../builders/console/browser.ts'
import type { OpenedConsole } from '../../../builders/console/console.ts'
import { holdSession } from '../../../builders/console/held-session.ts'
import { eventMatch, summaryMatch } from '../../../builders/console/matches.ts'
import { PATIENCE } from '../../../builders/console/patience.ts'
import { lag } from '../../../builders/platform/lag.ts'
import { eventually } from '../../../builders/platform/platform.ts'

const NARROW = { width: 360, height: 740 }
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

export const matchesTests = ({ platform, newPage }: OpenedConsole) =>
  describe('matches in the console', { timeout: 240_000 }, () => {
    async function report(user: User, domain: string, reputation: number): Promise<void> {
      const body = { type: 'domain', attributes: { domain }, reputation, visibleBy: ['public'] }
      expect((await platform.ask('/api/ingest/v1/entity', body, user.headers)).status).toBe(202)
    }

    async function send(user: User, ...events: object[]): Promise<void> {
      const body = events.map((event) => JSON.stringify({ at: Date.now(), ...event })).join('\n')
      const headers = { ...user.headers, 'content-type': 'application/x-ndjson' }
      const answer = await fetch(`${platform.url}/api/match/v1/events`, { method: 'POST', headers, body })
      expect([answer.status, await answer.text()]).toEqual([202, expect.not.stringContaining('error')])
    }

    const settled = () =>
      eventually(
        () => lag(platform.url),
        (left) => left === 0,
      )

    const listed = (user: User, count: number) =>
      eventually(
        () => platform.ask('/api/match/v1/matches', undefined, user.headers),
        ({ body }) => body.items?.length === count,
      )

    test('telemetry over REST is a match on the page, and is seen on the page of its indicator', async () => {
      const analyst = await newUserOf(platform, { roles: ['user', 'reporter'], groups: ['public', 'blue'] })
      const { page, complaints, close } = await newPage()
      await holdSession(page, analyst.headers)
      await page.goto('/matches')
      await page.getByText('No matches yet').waitFor(PATIENCE)
      await page.getByText('harrier match tail --format zeek', { exact: false }).first().waitFor(PATIENCE)
      await page.getByText(`curl -s ${platform.url}/api/match/v1/events`, { exact: false }).waitFor(PATIENCE)
      await page.getByTestId('sensors').getByText('Vector', { exact: true }).click()
      await page.getByText(`uri: ${platform.url}/api/match/v1/events`, { exact: false }).waitFor(PATIENCE)
      expect(new URL(page.url()).search).toBe('?sensor=Vector')
      await expectAccessible(page)
      await picture(page, 'matches-none')

      await report(analyst, 'bad.example', -3)
      await settled()
      await send(
        analyst,
        { kind: 'dns', host: 'pc-7', user: 'ann', ref: 'C1', fields: { query: 'www.bad.example' } },
        { kind: 'dns', host: 'pc-8', fields: { query: 'later.example' } },
      )
      await listed(analyst, 1)
      await report(analyst, 'later.example', -2)
      await listed(analyst, 2)

      await page.goto('/matches')
      const rows = page.getByTestId('match')
      await rows.getByText('www.bad.example').waitFor(PATIENCE)
      expect(await rows.count()).toBe(2)
      await page.getByTestId('timeline').locator('svg').waitFor(PATIENCE)
      await expectAccessible(page)
      await picture(page, 'matches')
      await page.getByLabel('Direction').selectOption('retro')
      await expect.poll(() => rows.count(), PATIENCE).toBe(1)
      await rows.getByRole('link', { name: 'later.example' }).waitFor(PATIENCE)
      expect(new URL(page.url()).search).toBe('?direction=retro')
      await visit(page, '/matches?view=hosts')
      await expect.poll(() => page.getByTestId('host').count(), PATIENCE).toBe(2)
      await page.getByText('By indicator', { exact: true }).click()
      await button(page, 'Only the matches of bad.example').click()
      await expect.poll(() => page.getByTestId('indicator').count(), PATIENCE).toBe(1)
      await page.getByText('List', { exact: true }).click()
      await button(page, 'Details of the match of bad.example').click()
      const details = page.getByTestId('match-details')
      for (const text of ['ann', 'C1', 'pc-7', 'dns']) await details.getByText(text, { exact: true }).waitFor(PATIENCE)
      await expectAccessible(page)
      await picture(page, 'matches-details')

      await details.getByRole('link', { name: 'Where it was seen here' }).click()
      const seen = page.getByTestId('seen')
      expect(await seen.getByTestId('seen-count').textContent(PATIENCE)).toBe('1')
      await seen.getByTestId('seen-row').getByText('www.bad.example').waitFor(PATIENCE)
      await seen.getByTestId('match').waitFor(PATIENCE)
      await page.getByRole('link', { name: /^once, / }).waitFor(PATIENCE)
      expect(new URL(page.url()).pathname).toBe(`/entity/${entityId('domain', 'bad.example')}`)
      await expectAccessible(page)
      await picture(page, 'entity-seen')
      await page.setViewportSize(NARROW)
      await page.emulateMedia({ colorScheme: 'dark' })
      await expectFits(page)
      await expectLegible(page)
      expect(complaints).toEqual([])
      await close()
    })

    test('settings are chosen with an estimate, and what they leave out is withdrawn', async () => {
      const analyst = await newUserOf(platform, { roles: ['user', 'reporter'], groups: ['public', 'red'] })
      await report(analyst, 'mild.example', -1)
      await settled()
      const put = { selector: { reputation: { lte: -1 } }, groups: ['public'] }
      const headers = { ...analyst.headers, 'content-type': 'application/json' }
      const path = `${platform.url}/api/match/v1/settings`
      const answer = await fetch(path, { method: 'PUT', headers, body: JSON.stringify(put) })
      expect(answer.status).toBe(200)
      await send(analyst, { host: 'pc-9', fields: { sni: 'mild.example' } })
      await listed(analyst, 1)

      const { page, complaints, close } = await newPage()
      await holdSession(page, analyst.headers)
      await page.goto('/matches/settings')
      const preview = page.getByTestId('preview')
      await preview.getByText('mild.example').waitFor(PATIENCE)
      await page.getByLabel('Reputation to').fill('-3')
      await expect.poll(() => preview.getByText('mild.example').count(), PATIENCE).toBe(0)
      await page.getByRole('combobox', { name: 'Types' }).fill('nothing')
      await page.getByRole('combobox', { name: 'Types' }).press('Enter')
      await preview.getByText('Correct the marked field', { exact: false }).waitFor(PATIENCE)
      await button(page, 'Save').click()
      await page.getByRole('alert').getByText('correct the marked field', { exact: false }).waitFor(PATIENCE)
      await page.getByRole('combobox', { name: 'Types' }).press('Backspace')
      // What the preview says moves everything below it: a click meanwhile would miss it.
      await preview.getByText(/entit(y|ies) now/).waitFor(PATIENCE)
      await page.getByLabel('Telemetry is kept for, days').fill('14')
      await page.getByTestId('sightings').getByText('Only your team learns', { exact: false }).waitFor(PATIENCE)
      await page.getByLabel('Share matches with other groups').check()
      expect(await button(page, 'Save').isDisabled()).toBe(true)
      await expectAccessible(page)
      await picture(page, 'matches-settings')
      await page.getByLabel('Share matches with other groups').uncheck()
      await button(page, 'Save').click()
      await page.getByTestId('saved').waitFor(PATIENCE)
      const kept = await platform.ask('/api/match/v1/settings', undefined, analyst.headers)
      expect(kept.body).toMatchObject({
        selector: { reputation: { lte: -3 } },
        groups: ['public'],
        retentionDays: 14,
        sightings: null,
      })
      await page.setViewportSize(NARROW)
      await page.emulateMedia({ colorScheme: 'dark' })
      await expectFits(page)
      await expectLegible(page)

      await eventually(
        () => platform.ask('/api/match/v1/matches', undefined, analyst.headers),
        ({ body }) => body.items?.[0]?.withdrawnReason === 'selector',
        60_000,
      )
      await page.goto('/matches')
      await page.getByText('withdrawn: the settings no longer choose it').waitFor(PATIENCE)
      await expectFits(page)
      await picture(page, 'matches-withdrawn-dark-360')
      await page.getByLabel('Withdrawn too').uncheck()
      await page.getByText('No match fits the filters').waitFor(PATIENCE)
      expect(new URL(page.url()).search).toBe('?withdrawn=hidden')
      expect(complaints).toEqual([])
      await close()
    })

    test('older matches are read by cursor, summaries are counted, and a stranger to a group is told so', async () => {
      const analyst = await newUserOf(platform, { roles: ['user', 'reporter'], groups: ['public'] })
      await report(analyst, 'bad.example', -3)
      await settled()
      const { page, complaints, close } = await newPage()
      const first = { items: [eventMatch()], cursor: 'next', more: true }
      const last = { items: [summaryMatch()], cursor: null, more: false }
      const sinces = { first: new Set<string | null>(), older: new Set<string | null>() }
      await page.route('**/api/match/v1/matches?*', (route) => {
        const { searchParams } = new URL(route.request().url())
        const older = searchParams.get('cursor') === 'next'
        sinces[older ? 'older' : 'first'].add(searchParams.get('since'))
        return route.fulfill({ json: older ? last : first })
      })
      await holdSession(page, analyst.headers)
      await page.goto('/matches?since=day')
      await button(page, 'Show older matches').click(PATIENCE)
      await page.getByText('12,000 matches of query').waitFor(PATIENCE)
      expect(await button(page, 'Show older matches').count()).toBe(0)
      // A cursor is good for the question of its first page alone.
      expect(sinces.older.size).toBeGreaterThan(0)
      expect(sinces.first).toEqual(new Set([...sinces.first, ...sinces.older]))
      await page.route('**/api/match/v1/**', (route) =>
        route.fulfill({ status: 404, json: { error: { code: 'not_found', message: 'no match settings' } } }),
      )
      for (const path of ['/matches', '/matches/settings', `/entity/${entityId('domain', 'bad.example')}?tab=seen`]) {
        await page.goto(path)
        await page.getByText('You may not read the matches of your team').waitFor(PATIENCE)
      }
      expect(complaints).toEqual([])
      await close()
    })

    test('a caller without the role sees no menu entry and no part of the page of an entity', async () => {
      const reporter = await newUserOf(platform, { roles: ['reporter'], groups: ['public'] })
      await report(reporter, 'bad.example', -3)
      await settled()
      const { page, close } = await newPage()
      await page.goto(`/entity/${entityId('domain', 'bad.example')}?tab=seen`)
      await page.getByRole('tab', { name: 'Evidence' }).waitFor(PATIENCE)
      expect(await page.getByRole('tab', { name: 'Seen here' }).count()).toBe(0)
      expect(await page.getByRole('link', { name: 'Matches' }).count()).toBe(0)
      await page.goto('/matches')
      await page.getByText('Sign in to see this').waitFor(PATIENCE)
      await close()
    })
  })
