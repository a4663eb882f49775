/** The page of one entity, as people of several groups and roles have it before them. */

import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { entityId } from '../../../../schemas/intelligence/entities/id.ts'
import { newUserOf, type User } from '../../../builders/accounts/users.ts'
import {
  expectAccessible,
  expectFits,
  expectLegible,
  picture,
  type Seen,
  visit,
} from '../../../builders/console/browser.ts'
import type { OpenedConsole } from '../../../builders/console/console.ts'
import { holdSession } from '../../../builders/console/held-session.ts'
import { PATIENCE } from '../../../builders/console/patience.ts'
import type { TabOptions } from '../../../builders/console/tabs.ts'
import { tellLastLook } from '../../../builders/failure/last-look.ts'
import { eventually } from '../../../builders/platform/platform.ts'

const DAY_MS = 86_400_000
const DOMAIN = 'evil.example.org'
const IP = '203.0.113.9'
const ID = entityId('domain', DOMAIN)
const IP_ID = entityId('ip', IP)
/** It has more relations than a small drawing shows. */
const BUSY_IP = '198.51.100.7'
const DIGEST = 'a'.repeat(64)
const SECRET = 'known to blue alone'

export const entityTests = ({ platform, newPage }: OpenedConsole) =>
  describe('the page of an entity', () => {
    let sources: User[]
    let blue: User
    let reader: User
    let trusted: User
    let administrator: User

    beforeAll(async () => {
      const reporter = (groups: string[], roles = ['reporter']) => newUserOf(platform, { roles, groups })
      sources = await Promise.all([1, 2, 3, 4].map(() => reporter(['public'])))
      ;[blue, reader, trusted, administrator] = await Promise.all([
        reporter(['blue']),
        newUserOf(platform, { roles: ['user'], groups: ['public'] }),
        reporter(['public'], ['reporter', 'trusted', 'user']),
        reporter(['public'], ['reporter', 'trusted', 'auth_admin']),
      ])
      const report = async (user: User, body: object) =>
        expect((await platform.ask('/api/ingest/v1/entity', body, user.headers)).status).toBe(202)
      const part = (type: string, value: string, mode = 'association', associations: object[] = []) => ({
        mode,
        type,
        attributes: { [type]: value },
        associations,
      })
      const beyond = [part('domain', 'neighbour.example.net'), part('url', 'https://neighbour.example.net/x')]
      const associations = [
        part('ip', IP, 'association', beyond),
        part('url', `https://${DOMAIN}/login`, 'aggregation'),
        part('sha256', DIGEST),
      ]
      const attributes = { domain: DOMAIN, text: 'Asks for passwords', 'whois-registrar': 'Example Registrar' }
      await report(sources[0]!, { type: 'domain', attributes, reputation: -3, tags: ['phishing'], associations })
      await report(sources[1]!, { type: 'domain', attributes: { domain: DOMAIN }, reputation: -2 })
      await report(sources[2]!, { type: 'domain', attributes: { domain: DOMAIN }, reputation: 1 })
      await report(sources[3]!, { type: 'domain', attributes: { domain: DOMAIN } })
      await report(blue, {
        type: 'domain',
        attributes: { domain: DOMAIN, text: SECRET },
        reputation: -3,
        tags: ['apt-blue'],
      })
      await report(sources[0]!, { type: 'ip', attributes: { ip: IP, country: 'Germany', asn: 64500 }, reputation: -2 })
      await report(sources[0]!, {
        type: 'cidr',
        attributes: { cidr: '203.0.113.0/24' },
        reputation: -1,
        tags: ['hosting'],
      })
      await report(sources[1]!, { type: 'url', attributes: { url: `https://${DOMAIN}/login` }, reputation: -3 })
      const names = Array.from({ length: 60 }, (_, n) => part('domain', `name-${n}.example.net`))
      await report(sources[0]!, { type: 'ip', attributes: { ip: BUSY_IP }, associations: names })
      await eventually(
        () => Promise.all([evidence(ID, blue), evidence(entityId('cidr', '203.0.113.0/24'))]),
        ([own, net]) => own.body.items === 5 && net.status === 200,
      )
    })

    const evidence = (id: string, who: User | null = null, query = '') =>
      platform.ask(`/api/search/v1/entity/${id}/evidence${query}`, undefined, who?.headers ?? null)

    /** A page whose tab already holds the key pair of a user, as it is after signing in. */
    async function seenBy(who: User | null, options: TabOptions = {}) {
      const seen = await newPage(options)
      if (who !== null) await holdSession(seen.page, who.headers)
      return seen
    }
    let anybody: Seen | undefined
    afterAll(() => anybody?.close())
    /** The page that tests without a session have one after the other: nothing that it shows changes while they run. */
    async function goneTo(path: string): Promise<Pick<Seen, 'page' | 'complaints'>> {
      if (anybody === undefined) {
        anybody = await newPage()
        await anybody.page.goto(path)
      } else {
        await visit(anybody.page, path)
        tellLastLook(anybody.page, anybody.complaints)
      }
      return anybody
    }
    const texts = (page: Page, id: string) => page.getByTestId(id).allInnerTexts()
    const text = async (page: Page, id: string) => (await texts(page, id)).join('\n')
    const tab = (page: Page, name: string) => page.getByRole('tab', { name }).click()
    const minus = (n: number) => n.toFixed(2).replace('-', '−')

    test('says what is known, why, and how that goes: the numbers are those of the API', async () => {
      const { page, complaints } = await goneTo(`/entity/${ID}`)
      await page.getByRole('heading', { level: 1, name: DOMAIN }).waitFor(PATIENCE)
      await expect.poll(() => texts(page, 'claim'), PATIENCE).toHaveLength(4)
      expect(await page.title()).toBe(`${DOMAIN} · Harrier`)
      expect(await texts(page, 'sources')).toEqual(['4'])
      await expect.poll(() => texts(page, 'records'), PATIENCE).toEqual(['4'])
      expect(await texts(page, 'tags')).toEqual([expect.stringMatching(/^Tags\s+phishing$/)])
      expect(await text(page, 'head')).not.toContain('apt-blue')

      const { body } = await evidence(ID)
      expect(body.items).toBe(4)
      const told = body.claims as { weight: number; share: number; contribution: number }[]
      const numbers = async (id: string) =>
        (await texts(page, id)).map((text) => Number(text.replace('−', '-').replace(' %', '')))
      // Each moment that passes makes them lighter by less than what is shown.
      const near = (wanted: number[], within: number) =>
        wanted.map((n) => expect.closeTo(n, -Math.log10(2 * within)) as number)
      expect(await numbers('weight')).toEqual(
        near(
          told.map(({ weight }) => weight),
          0.001,
        ),
      )
      expect(await numbers('share')).toEqual(
        near(
          told.map(({ share }) => 100 * share),
          0.1,
        ),
      )
      expect(await numbers('contribution')).toEqual(
        near(
          told.map(({ contribution }) => contribution),
          0.01,
        ),
      )
      const sum = told.reduce((total, { contribution }) => total + contribution, 0)
      expect(await texts(page, 'sum')).toEqual(['−1.33 × 1.00 = −1.33'])
      expect(sum).toBeCloseTo(-4 / 3, 3)
      expect(await text(page, 'reckoning')).toContain('Poor −1')

      const chart = page.getByTestId('score-history').getByTestId('chart')
      await expect
        .poll(() => chart.getAttribute('aria-label'), PATIENCE)
        .toMatch(/^Reputation and accuracy at 60 moments/)
      // One mark for each moment; accuracy is a band without marks.
      await expect.poll(() => chart.locator('svg path').count(), PATIENCE).toBeGreaterThanOrEqual(60)
      expect(await chart.locator('svg text').allTextContents()).toContain('Now')
      expect(await text(page, 'verdict-line')).toMatch(
        /^Poor, medium accuracy: 2 sources say bad, 1 says good, newest (just now|\d+ minutes? ago), fades to no verdict on \d+ \w+( \d{4})?$/,
      )
      expect(complaints).toEqual([])
      await expectAccessible(page)
      await picture(page, 'entity-evidence')

      // A month on, half of what was said has lost its weight; the page says so of any moment, also by address.
      const at = new Date(Date.now() + 42 * DAY_MS).toISOString()
      await visit(page, `/entity/${ID}?at=${at}`)
      const later = (await evidence(ID, null, `?at=${at}`)).body
      await expect
        .poll(() => texts(page, 'sum'), PATIENCE)
        .toEqual([`${minus(sum)} × ${later.fade.toFixed(2)} = ${minus(sum * later.fade)}`])
      expect(later.fade).toBeLessThan(0.3)
      await page.getByRole('button', { name: 'Back to now' }).click()
      await expect.poll(() => texts(page, 'sum'), PATIENCE).toEqual(['−1.33 × 1.00 = −1.33'])
      expect(page.url()).toBe(`${platform.url}/entity/${ID}`)
      expect(complaints).toEqual([])
    })

    test('the score over time is that of the API, and a change of it leads to the claims of that moment', async () => {
      const { page, complaints, close } = await seenBy(null)
      const answered = page.waitForResponse((response) => response.url().includes('/score-history?'), PATIENCE)
      await page.goto(`/entity/${ID}?window=ahead`)
      const points = (await (await answered).json()) as { at: string; reputation: number; claims: number }[]
      expect(points).toHaveLength(60)
      expect([points[0]!.reputation, points.at(-1)!.reputation]).toEqual([-1, 0])
      const changes = points.filter(({ reputation }, i) => i === 0 || reputation !== points[i - 1]!.reputation)
      await expect.poll(() => page.getByTestId('change').count(), PATIENCE).toBeGreaterThanOrEqual(changes.length)
      const last = page.getByTestId('change').last()
      expect((await last.allInnerTexts())[0]).toContain('Seen, no verdict')
      await last.getByRole('button').click()
      await expect.poll(() => page.url(), PATIENCE).toContain('at=')
      await expect.poll(() => text(page, 'as-of'), PATIENCE).toMatch(/ UTC, in \d+ days$/)
      await expect.poll(() => text(page, 'reckoning'), PATIENCE).toContain('Seen, no verdict')

      // The points of the chart are a way there too.
      const moments = points.map(({ at }) => at)
      const chosen = () => new URL(page.url()).searchParams.get('at') ?? ''
      const before = chosen()
      const circles = page.getByTestId('score-history').locator('svg path[fill="#2da598"]')
      await expect.poll(() => circles.count(), PATIENCE).toBeGreaterThanOrEqual(60)
      // On a busy machine the chart is still drawn when it is clicked for the first time.
      const choose = async (): Promise<boolean> => {
        await circles.nth(20).click({ force: true })
        return chosen() !== before && moments.includes(chosen())
      }
      await expect.poll(choose, PATIENCE).toBe(true)

      // What nobody had reported yet is no part of the curve.
      const week = page.waitForResponse((response) => response.url().includes('/score-history?'), PATIENCE)
      await page.getByLabel('Time range').selectOption('week')
      // The page takes what it shows from there; the body of a response that it was navigated away from is gone.
      const shown = (await (await fetch((await week).url())).json()) as { claims: number }[]
      const known = shown.filter(({ claims }) => claims > 0)
      await expect.poll(() => circles.count(), PATIENCE).toBeLessThanOrEqual(known.length + 1)
      expect(complaints).toEqual([])
      await close()
    })

    test('shows attributes, records and the networks around', async () => {
      const { page, complaints } = await goneTo(`/entity/${ID}?tab=attributes`)
      await expect.poll(() => texts(page, 'attribute'), PATIENCE).toHaveLength(2)
      expect((await texts(page, 'attribute')).join()).toMatch(/Asks for passwords.*Example Registrar/is)
      expect(await page.getByTestId('attribute').getByRole('link').count()).toBe(0)
      await picture(page, 'entity-attributes')
      await expectAccessible(page)
      await tab(page, 'history')
      await expect.poll(() => texts(page, 'record'), PATIENCE).toHaveLength(4)
      expect((await texts(page, 'record')).join()).not.toContain(SECRET)
      expect(await page.getByText(/4 records in the last 30 days: \d{4}-/).count()).toBe(1)
      expect(page.url()).toContain('tab=history')
      await picture(page, 'entity-history')
      await expectAccessible(page)
      await visit(page, `/entity/${IP_ID}`)
      await expect.poll(() => texts(page, 'covering'), PATIENCE).toEqual([expect.stringContaining('203.0.113.0/24')])
      await expect.poll(() => text(page, 'head'), PATIENCE).toContain('Germany · AS64500')
      expect(complaints).toEqual([])
    })

    test('draws what is around, and lists the same', async () => {
      const { page, complaints } = await goneTo(`/entity/${ID}?tab=relations`)
      await expect.poll(() => page.getByTestId('node').count(), PATIENCE).toBe(4)
      await expect.poll(() => texts(page, 'relation'), PATIENCE).toHaveLength(3)
      await page.getByText('2', { exact: true }).click()
      await expect.poll(() => page.getByTestId('node').count(), PATIENCE).toBe(6)
      expect(page.url()).toContain('levels=2')
      await page.getByRole('button', { name: 'List these 6 entities' }).click()
      await expect.poll(() => page.getByTestId('graph-row').count(), PATIENCE).toBe(6)
      await expectAccessible(page)
      await picture(page, 'entity-relations')
      await page.getByLabel('Kind of relation').selectOption('aggregation')
      await expect.poll(() => texts(page, 'relation'), PATIENCE).toEqual([expect.stringContaining('consists of')])
      await page.getByLabel('Kind of relation').selectOption('')
      await page.getByRole('combobox', { name: 'Types of the related entity' }).fill('sha256')
      await page.getByRole('option', { name: /\(sha256\)/ }).click()
      await expect.poll(() => texts(page, 'relation'), PATIENCE).toEqual([expect.stringContaining(DIGEST)])
      expect(page.url()).toContain('types=sha256')
      expect(complaints).toEqual([])
    })

    /** Boxes on the screen of what has this test id: left, top, right, bottom. */
    const boxesOf = async (page: Page, id: string) =>
      Promise.all(
        (await page.getByTestId(id).all()).map(async (element) => {
          const { x, y, width, height } = (await element.boundingBox())!
          return [x, y, x + width, y + height] as const
        }),
      )
    const overlaps = (boxes: (readonly [number, number, number, number])[]) =>
      boxes.flatMap((a, i) =>
        boxes.slice(i + 1).filter((b) => a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3]),
      )

    test('a node is expanded in place and folded, by pointer and by keyboard, and opens its page', async () => {
      const { page, complaints } = await goneTo(`/entity/${ID}?tab=relations`)
      await expect.poll(() => page.getByTestId('node').count(), PATIENCE).toBe(4)
      const node = page.getByRole('treeitem', { name: new RegExp(`^ip ${IP}: Bad −2`) })
      expect(await node.getAttribute('aria-expanded')).toBe('false')
      await node.click()
      await expect.poll(() => page.getByTestId('node').count(), PATIENCE).toBe(6)
      expect(await node.getAttribute('aria-expanded')).toBe('true')
      expect(page.url()).toContain(`toggled=${IP_ID}`)
      await expect.poll(() => text(page, 'expansion'), PATIENCE).toContain('All of its relations are shown')
      expect(overlaps(await boxesOf(page, 'graph-label'))).toEqual([])
      await picture(page, 'entity-graph-expanded')
      // The address has it: what somebody is sent is the same.
      await page.reload()
      await expect.poll(() => page.getByTestId('node').count(), PATIENCE).toBe(6)
      await node.focus()
      await page.keyboard.press('Enter')
      await expect.poll(() => page.getByTestId('node').count(), PATIENCE).toBe(4)
      await page.keyboard.press('ArrowRight')
      await expect.poll(() => page.getByTestId('node').count(), PATIENCE).toBe(6)
      await page.keyboard.press('ArrowDown')
      await expect.poll(() => text(page, 'looked'), PATIENCE).toContain('neighbour.example.net')
      await page.keyboard.press('ArrowLeft')
      await expect.poll(() => text(page, 'looked'), PATIENCE).toContain(IP)
      await page.getByRole('link', { name: 'Open its page' }).click()
      await page.getByRole('heading', { level: 1, name: IP }).waitFor(PATIENCE)
      expect(page.url()).toContain(IP_ID)
      await page.goBack()
      await expect.poll(() => page.getByTestId('node').count(), PATIENCE).toBe(6)
      expect(complaints).toEqual([])
    })

    test('says in place that a node could not be expanded, and asks again', async () => {
      const { page, close } = await seenBy(null)
      let refused = 0
      await page.route(`**/api/analytics/v1/entity/${IP_ID}/relations?**`, async (route) => {
        if (refused++ > 3) return route.continue()
        return route.fulfill({ status: 429, json: { error: { code: 'rate_limited', message: 'rate limit exceeded' } } })
      })
      await page.goto(`/entity/${ID}?tab=relations`)
      await page.getByRole('treeitem', { name: new RegExp(`^ip ${IP}`) }).click()
      await expect.poll(() => text(page, 'expansion'), { timeout: 40_000 }).toContain('could not be read')
      expect(await page.getByTestId('node').count()).toBe(4)
      refused = 9
      await page.getByTestId('looked').getByRole('button', { name: 'Try again' }).click()
      await expect.poll(() => page.getByTestId('node').count(), PATIENCE).toBe(6)
      await close()
    })

    test('is saved as SVG and as PNG, in light colours and with its title', async () => {
      const { page, complaints, close } = await seenBy(null, { colorScheme: 'dark' })
      await page.goto(`/entity/${ID}?tab=relations&levels=2`)
      await expect.poll(() => page.getByTestId('node').count(), PATIENCE).toBe(6)
      const saved = async (form: string) => {
        const saving = page.waitForEvent('download', PATIENCE)
        await page.getByRole('button', { name: `Save as ${form}` }).click()
        const file = await saving
        const day = new Date().toISOString().slice(0, 10)
        expect(file.suggestedFilename()).toBe(`harrier-graph-evil-example-org-${day}.${form.toLowerCase()}`)
        return readFileSync(await file.path())
      }
      const svg = (await saved('SVG')).toString('utf8')
      expect(svg).toContain(`Relations of domain ${DOMAIN}`)
      expect(svg).toContain('6 entities, ')
      expect(svg).toContain(IP)
      expect(svg).not.toMatch(/var\(|<script|href=/)
      const png = await saved('PNG')
      expect(png.subarray(1, 4).toString()).toBe('PNG')
      expect(png.readUInt32BE(16)).toBeGreaterThan(1_000)
      expect(complaints).toEqual([])
      await close()
    })

    test('says when more is related than is drawn, and no label meets another', async () => {
      const { page, complaints } = await goneTo(`/entity/${entityId('ip', BUSY_IP)}?tab=relations`)
      await expect.poll(() => page.getByTestId('node').count(), PATIENCE).toBe(50)
      expect(await text(page, 'truncated')).toContain('11 more not shown')
      await expect.poll(() => texts(page, 'relation'), PATIENCE).toHaveLength(25)
      await page.getByLabel('Maximum number of entities').selectOption('100')
      await expect.poll(() => page.getByTestId('node').count(), PATIENCE).toBe(61)
      expect(await text(page, 'truncated')).toBe('')
      expect(overlaps(await boxesOf(page, 'graph-label'))).toEqual([])
      await page.getByRole('button', { name: 'page 3' }).click()
      await expect.poll(() => texts(page, 'relation'), PATIENCE).toHaveLength(10)
      await picture(page, 'entity-relations-many')
      expect(complaints).toEqual([])
    })

    test('a member of a group sees its claim and adds a tag, a comment and a relation, which are shown', async () => {
      const { page, complaints, close } = await seenBy(blue)
      await page.goto(`/entity/${ID}`)
      await expect.poll(() => texts(page, 'claim'), PATIENCE).toHaveLength(5)
      const you = page.getByTestId('reporter').filter({ hasText: /^you$/ })
      const own = page.getByTestId('claim').filter({ has: you })
      expect(await own.allInnerTexts()).toEqual([expect.stringMatching(/blue$/)])
      expect(await page.getByRole('button', { name: 'Mark well known' }).count()).toBe(0)
      expect(await page.getByRole('button', { name: 'Scan' }).count()).toBe(0)
      await picture(page, 'entity-own-claim')

      await page.getByRole('button', { name: 'Report again or tag' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Tags to add').fill('Kit-9')
      await page.keyboard.press('Enter')
      await picture(page, 'entity-report')
      await expectAccessible(page)
      await dialog.getByRole('button', { name: 'Send' }).click()
      await expect.poll(() => texts(page, 'acknowledged'), PATIENCE).toEqual(['Sighting accepted and visible.'])
      await expect.poll(() => texts(page, 'tags'), PATIENCE).toEqual([expect.stringContaining('kit-9')])

      await tab(page, 'comments')
      const hostile = '<img src=x onerror=alert(1)> https://evil.example.org/login\nsecond line'
      await page.getByLabel('Your comment').fill(hostile)
      await page.getByRole('button', { name: 'Comment', exact: true }).click()
      await expect.poll(() => texts(page, 'comment'), PATIENCE).toEqual([expect.stringContaining(hostile)])
      const comment = page.getByTestId('comment')
      expect([await comment.getByRole('link').count(), await comment.locator('img').count()]).toEqual([0, 0])
      expect(await text(page, 'comment')).toContain('blue')
      await comment.getByRole('button', { name: 'Reply' }).click()
      await page.getByLabel('Your reply').fill('seen again')
      await page.getByRole('button', { name: 'Reply', exact: true }).first().click()
      await expect.poll(() => texts(page, 'comment'), PATIENCE).toHaveLength(2)
      expect((await texts(page, 'comment'))[0]).toContain('in reply to “<img')
      await expectAccessible(page)
      await picture(page, 'entity-comments')

      await tab(page, 'relations')
      await page.getByLabel('Value of the other entity').fill('203[.]0[.]113[.]0/24')
      await page.getByRole('button', { name: 'Find' }).click()
      await page.getByRole('radio', { name: 'cidr 203.0.113.0/24' }).waitFor(PATIENCE)
      await picture(page, 'entity-relate')
      await page.getByRole('button', { name: 'Relate', exact: true }).click()
      await expect.poll(() => texts(page, 'acknowledged'), PATIENCE).toEqual(['Relation accepted and visible.'])
      const related = page.getByTestId('relation').filter({ hasText: '203.0.113.0/24' })
      await expect.poll(() => related.allInnerTexts(), PATIENCE).toEqual([expect.stringMatching(/blue$/)])
      await expect.poll(() => page.getByTestId('node').count(), PATIENCE).toBe(5)
      expect(complaints).toEqual([])
      await close()
    })

    test('others see nothing of it, and each role is offered what it may do', async () => {
      const { page, complaints, close } = await seenBy(reader)
      await page.goto(`/entity/${ID}`)
      await expect.poll(() => texts(page, 'claim'), PATIENCE).toHaveLength(4)
      expect(await text(page, 'head')).not.toMatch(/apt-blue|kit-9/)
      await page.getByRole('button', { name: 'Scan' }).waitFor(PATIENCE)
      expect(await text(page, 'actions')).toMatch(/need the role reporter/)
      expect(await page.getByRole('button', { name: /Report again|Mark/ }).count()).toBe(0)
      await tab(page, 'comments')
      await page.getByText('No comments yet').waitFor(PATIENCE)
      expect(await page.getByLabel('Your comment').count()).toBe(0)
      await tab(page, 'relations')
      await expect.poll(() => page.getByTestId('node').count(), PATIENCE).toBe(4)
      expect(await page.getByLabel('Value of the other entity').count()).toBe(0)
      // An address of documentation is none to be scanned: the refusal is the platform's, with its id.
      await visit(page, `/entity/${IP_ID}`)
      await page.getByRole('heading', { level: 1, name: IP }).waitFor(PATIENCE)
      await page.getByRole('button', { name: 'Scan' }).click()
      await page.getByRole('button', { name: 'Start the scan' }).click()
      await page.getByRole('dialog').getByTestId('error-id').waitFor(PATIENCE)
      await picture(page, 'entity-scan-refused')
      expect(complaints).toEqual([])
      await close()
    })

    test('a trusted caller marks an entity well known after a dialog that explains the mark', async () => {
      const { page, complaints, close } = await seenBy(trusted)
      await page.goto(`/entity/${entityId('domain', 'neighbour.example.net')}`)
      await page.getByRole('button', { name: 'Mark well known' }).click()
      await page.getByText('only an administrator can remove it').waitFor(PATIENCE)
      await picture(page, 'entity-well-known')
      await page.getByRole('dialog').getByRole('button', { name: 'Mark as well known' }).click()
      await expect.poll(() => texts(page, 'acknowledged'), PATIENCE).toEqual(['Mark accepted and visible.'])
      await expect.poll(() => text(page, 'head'), PATIENCE).toContain('Well known')
      expect(await page.getByRole('button', { name: /Mark well known|Clear the mark/ }).count()).toBe(0)
      expect(complaints).toEqual([])
      await close()
    })

    test('an administrator who may mark clears a mark after a dialog that says what follows', async () => {
      const { page, complaints, close } = await seenBy(administrator)
      await page.goto(`/entity/${entityId('domain', 'neighbour.example.net')}`)
      await page.getByRole('button', { name: 'Clear the mark' }).click()
      await page.getByText('scored by its reports again').waitFor(PATIENCE)
      await picture(page, 'entity-clear-mark')
      await page.getByRole('dialog').getByRole('button', { name: 'Clear the mark' }).click()
      await expect
        .poll(() => texts(page, 'acknowledged'), PATIENCE)
        .toEqual(['Removal of the mark accepted and visible.'])
      await expect.poll(() => text(page, 'head'), PATIENCE).not.toContain('Well known')
      await page.getByRole('button', { name: 'Mark well known' }).waitFor(PATIENCE)
      expect(complaints).toEqual([])
      await close()
    })

    test('the page of an unknown or unreadable entity says what to do next', async () => {
      const { page, complaints, close } = await seenBy(null)
      for (const id of [entityId('domain', 'unknown.example.org'), 'nonsense']) {
        await page.goto(`/entity/${id}`)
        await page.getByRole('heading', { level: 1, name: 'Unknown entity' }).waitFor(PATIENCE)
        expect(await page.getByRole('link', { name: 'Search for its value' }).getAttribute('href')).toBe('/search')
      }
      await expectAccessible(page)
      await picture(page, 'entity-unknown')
      expect(complaints).toEqual([])
      await close()
    })

    test('fits a telephone, and is legible in the dark', async () => {
      const { page, complaints, close } = await seenBy(blue, {
        viewport: { width: 360, height: 740 },
        colorScheme: 'dark',
      })
      await page.goto(`/entity/${ID}?tab=comments`)
      for (const name of ['evidence', 'attributes', 'history', 'relations', 'comments']) {
        await tab(page, name)
        await page.getByRole('tab', { name, selected: true }).waitFor(PATIENCE)
        await expectFits(page)
        await expectLegible(page)
        await picture(page, `entity-${name}-360-dark`)
      }
      expect(complaints).toEqual([])
      await close()
    })
  })
