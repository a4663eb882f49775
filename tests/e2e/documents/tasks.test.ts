import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { newUserOf, type User } from '../../builders/accounts/users.ts'
import { hasBrowser, type Seen } from '../../builders/console/browser.ts'
import { openConsole } from '../../builders/console/console.ts'
import { type Hands, handsAt } from '../../builders/console/hands.ts'
import { holdSession } from '../../builders/console/held-session.ts'
import { PATIENCE } from '../../builders/console/patience.ts'
import { submitDomain } from '../../builders/log/submitted.ts'
import { command } from '../../builders/platform/command.ts'
import { lag } from '../../builders/platform/lag.ts'
import { ADMINISTRATOR, eventually } from '../../builders/platform/platform.ts'

/** The tasks of docs/use/tasks.md, each walked in the console from the overview: as many steps as the page lists. */
const FEEDS = '/api/feeds/v1/feeds'
const BAD = '203.0.113.9'
const RELATED = '203.0.113.11'
const LOG = `Nov 27 10:00:00 web sshd[1]: Failed password for root from 198.51.100.7 port 22
Nov 27 10:00:01 web sshd[2]: Failed password for root from ${BAD} port 22
`

/** Numbers of steps by task. */
const written = new Map(
  readFileSync('docs/use/tasks.md', 'utf8')
    .split(/^### /m)
    .slice(1)
    .map((section) => [section.split('\n')[0]!, section.split('\n## ')[0]!.match(/^\d+\. /gm)!.length]),
)

describe.skipIf(!hasBrowser())('the tasks of the page', () => {
  const { folder, platform, newPage } = openConsole()
  let ana: User
  let ben: User
  const walked = new Set<string>()

  const applied = () =>
    eventually(
      () => lag(platform.url),
      (left) => left === 0,
    )
  const listed = async (name: string, values: readonly string[]) => {
    const file = join(folder, `${name}.txt`)
    writeFileSync(file, `${values.join('\n')}\n`)
    expect((await command(folder, 'feed', 'import', file, '--format', 'lines', '--feed', name)).code).toBe(0)
    await applied()
  }

  beforeAll(async () => {
    const roles = ['user', 'reporter']
    ;[ana, ben] = (await Promise.all([1, 2].map(() => newUserOf(platform, { roles, groups: ['public'] })))) as [
      User,
      User,
    ]
    const billingAddress = { street: '1 Main St', city: 'Springfield', state: 'IL', postalCode: '62701', country: 'US' }
    const customer = { name: 'Acme', email: 'billing@example.com', billingAddress }
    expect((await platform.ask('/api/billing/v1/customer', customer, ana.headers)).status).toBe(201)
    const member = { userID: ben.id, role: 'user' }
    expect((await platform.ask('/api/billing/v1/customer/member', member, ana.headers)).status).toBe(201)
    expect((await platform.ask('/api/billing/v1/customer/accept', {}, ben.headers)).status).toBe(204)
    await listed('bad-list', [BAD, '203.0.113.10', RELATED])
    const related = { mode: 'association', type: 'domain', attributes: { domain: 'bad.example' } }
    const relation = { type: 'ip', attributes: { ip: RELATED }, associations: [related] }
    expect((await platform.ask('/api/ingest/v1/entity', relation, ana.headers)).status).toBe(202)
    await applied()
  })

  /** Walks a task from the overview; `walk` ends when the console shows that it is done. */
  async function task(title: string, who: Record<string, string>, walk: (hands: Hands, page: Page) => Promise<void>) {
    const seen: Seen = await newPage()
    await holdSession(seen.page, who)
    await seen.page.goto('/')
    await seen.page.getByRole('button', { name: /^Signed in as/ }).waitFor(PATIENCE)
    const hands = handsAt(seen.page)
    await walk(hands, seen.page)
    expect(seen.complaints).toEqual([])
    expect({ title, steps: hands.count() }).toEqual({ title, steps: written.get(title) })
    walked.add(title)
    await seen.close()
  }
  // What waits is said after the name of a page.
  const link = (within: Locator, name: string) => within.getByRole('link', { name: new RegExp(`^${name}(\\s*,|$)`) })
  const menu = (page: Page, name: string) => link(page.getByLabel('Pages'), name)
  const section = (page: Page, name: string) => link(page.getByRole('main'), name)
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
  const quick = (page: Page) => page.getByLabel('Search for a value')
  const triage = async (hands: Hands, page: Page) => {
    await hands.click(menu(page, 'Triage'))
    await page.getByTestId('row').first().waitFor(PATIENCE)
    await hands.press('j')
  }
  const open = (page: Page, text: string) =>
    expect.poll(() => page.getByTestId('open-count').textContent(), PATIENCE).toContain(text)

  test('a log is pasted, and its bad address comes first', () =>
    task('Find the bad indicators of a log', ana.headers, async (hands, page) => {
      await hands.click(menu(page, 'Search'))
      await hands.type(page.getByRole('textbox', { name: 'Indicator or text' }), LOG)
      await hands.press('Enter')
      await page.getByTestId('bulk').waitFor(PATIENCE)
      expect(await page.getByTestId('bulk').getByRole('row').nth(1).textContent()).toContain(BAD)
    }))

  test('an entity names who reported it', () =>
    task('See who reported it', ana.headers, async (hands, page) => {
      await hands.type(quick(page), BAD)
      await hands.press('Enter')
      await hands.click(page.getByRole('link', { name: `Open ip ${BAD}`, exact: true }))
      await page.getByTestId('claim').getByText('bad-list').waitFor(PATIENCE)
    }))

  test('the relations of an entity are kept as a picture', () =>
    task('Save a picture of the relations', ana.headers, async (hands, page) => {
      await hands.type(quick(page), RELATED)
      await hands.press('Enter')
      await hands.click(page.getByRole('link', { name: `Open ip ${RELATED}`, exact: true }))
      await hands.click(page.getByRole('tab', { name: 'Relations' }))
      const saving = page.waitForEvent('download', PATIENCE)
      await hands.click(page.getByRole('button', { name: 'Save as SVG' }))
      expect(readFileSync(await (await saving).path(), 'utf8')).toContain('bad.example')
    }))

  test('an unknown address is told with what is around it', () =>
    task('Ask about an unknown address', ana.headers, async (hands, page) => {
      await hands.type(quick(page), '203.0.113.200')
      await hands.press('Enter')
      await page.getByTestId('unknown-value').getByTestId('location').waitFor(PATIENCE)
    }))

  test('an entity is assigned to a colleague', () =>
    task('Assign an entity to a colleague', ana.headers, async (hands, page) => {
      await triage(hands, page)
      await hands.press('a')
      await hands.choose(page.getByLabel('Assigned to'), ben.id)
      await hands.click(button(page, 'Save'))
      await page.getByTestId('work').waitFor(PATIENCE)
    }))

  test('a verdict is given on a selected entity', () =>
    task('Decide for your team', ana.headers, async (hands, page) => {
      await triage(hands, page)
      await hands.press('x')
      await hands.click(button(page, 'Verdict'))
      await hands.type(page.getByLabel('Reason'), 'Our own scanner.')
      await hands.click(button(page, 'Decide'))
      await page.getByRole('dialog').waitFor({ state: 'hidden', ...PATIENCE })
    }))

  test('an entity leaves the list', () =>
    task('Mark an entity as handled', ben.headers, async (hands, page) => {
      await triage(hands, page)
      await hands.press('e')
      await open(page, '1 handled')
    }))

  test('a saved search is found again', async () => {
    const saved = { name: 'Alarming addresses', query: { query: { must: [{ term: { type: 'ip' } }] } } }
    expect((await platform.ask('/api/casework/v1/searches', saved, ana.headers)).status).toBe(201)
    await task('Find a saved search', ana.headers, async (hands, page) => {
      await hands.click(menu(page, 'Search'))
      await hands.click(button(page, 'Saved searches'))
      await hands.click(page.getByTestId('saved').getByRole('link', { name: saved.name }))
      await page.getByTestId('results').getByRole('link', { name: '203.0.113.10' }).waitFor(PATIENCE)
    })
  })

  test('a colleague is invited', () =>
    task('Invite a colleague', ana.headers, async (hands, page) => {
      await hands.click(menu(page, 'Account'))
      await hands.click(section(page, 'Team'))
      await hands.type(page.getByLabel('Email address or user id'), 'eve@example.com')
      await hands.click(button(page, 'Invite'))
      await page.getByRole('row', { name: 'eve@example.com' }).waitFor(PATIENCE)
    }))

  test('a colleague becomes an admin', () =>
    task('Change the role of a colleague', ana.headers, async (hands, page) => {
      await hands.click(menu(page, 'Account'))
      await hands.click(section(page, 'Team'))
      const row = page.getByTestId(`member-${ben.id}`)
      await hands.click(row.getByRole('combobox'))
      await hands.click(page.getByRole('option', { name: 'admin' }))
      await hands.click(page.getByRole('dialog').getByRole('button', { name: 'Change the role' }))
      await expect.poll(() => row.getByRole('combobox').inputValue(), PATIENCE).toBe('admin')
    }))

  test('a held feed is released', async () => {
    const { body: feed } = await platform.ask(FEEDS, { name: 'Edge', selector: { types: ['ip'] } }, ana.headers)
    const state = async () => (await platform.ask(`${FEEDS}/${feed.id}`, undefined, ana.headers)).body.state
    await eventually(state, (now) => now === 'live')
    expect((await platform.ask(`${FEEDS}/${feed.id}/hold`, {}, ana.headers)).status).toBe(202)
    await eventually(state, (now) => now === 'held')
    await task('Release a held feed', ana.headers, async (hands, page) => {
      await hands.click(menu(page, 'Feeds'))
      await hands.click(page.getByTestId('feed').getByRole('link', { name: 'Edge' }))
      await hands.click(button(page, 'Release …'))
      await hands.click(page.getByRole('dialog').getByRole('button', { name: 'Release', exact: true }))
      await expect.poll(() => page.getByTestId('held').count(), PATIENCE).toBe(0)
    })
  })

  test('what a feed said is taken back', () =>
    task('Retract the reports of a feed', ADMINISTRATOR, async (hands, page) => {
      const dialog = page.getByRole('dialog')
      await hands.click(menu(page, 'Operations'))
      await hands.click(section(page, 'Sources'))
      await hands.click(page.getByRole('button', { name: 'Retract reports of bad-list' }))
      await hands.type(dialog.getByLabel('Reason'), 'it was sold')
      await hands.click(dialog.getByRole('button', { name: 'Preview' }))
      await hands.click(dialog.getByRole('button', { name: 'Retract', exact: true }))
      await dialog.getByText('3 retracted, 0 retracted before', { exact: false }).waitFor(PATIENCE)
    }))

  test('dead letters are replayed once their cause is gone', async () => {
    await submitDomain(folder, 'latecomers', 'late.example')
    const waiting = async () => (await platform.ask('/api/admin/v1/dead-letters?state=waiting')).body.letters.length
    await eventually(waiting, (letters) => letters === 1, 20_000)
    expect((await command(folder, 'feed', 'register', 'latecomers', '--trust', '0.6')).code).toBe(0)
    await task('Replay dead letters', ADMINISTRATOR, async (hands, page) => {
      await hands.click(menu(page, 'Operations'))
      await hands.click(section(page, 'Dead letters'))
      await hands.click(page.getByLabel('Select all waiting letters (1)'))
      await hands.click(button(page, 'Replay'))
      await hands.click(page.getByRole('dialog').getByRole('button', { name: 'Replay', exact: true }))
      // The list of those that wait is empty then.
      await page.getByText('No letter waits').waitFor(PATIENCE)
    })
    await eventually(waiting, (letters) => letters === 0)
  })

  test('every task of the page was walked', () => {
    expect(walked.size).toBe(13)
    expect([...written.keys()].filter((title) => !walked.has(title))).toEqual([])
  })
})
