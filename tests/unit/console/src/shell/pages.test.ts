import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, test } from 'vitest'
import { Route, Router, Switch } from 'wouter'
import { sections as accountSections } from '../../../../../console/src/pages/account/sections.ts'
import { sections as alertSections } from '../../../../../console/src/pages/alerts/sections.ts'
import { sections as matchSections } from '../../../../../console/src/pages/matches/sections.ts'
import { sections as operationsSections } from '../../../../../console/src/pages/operations/sections.ts'
import { pages } from '../../../../../console/src/shell/pages.ts'
import { CONSOLE_PAGES, isConsolePath } from '../../../../../schemas/console-pages.ts'

/** The route that the console's router takes for a path; `none`: the page that says that there is no such page. */
const routeOf = (path: string): string => {
  const routes = pages.map(({ route }) => createElement(Route, { key: route, path: route }, route))
  const router = createElement(Switch, null, ...routes, createElement(Route, null, 'none'))
  return renderToStaticMarkup(createElement(Router, { ssrPath: path, children: router }))
}

const addresses = Object.values(CONSOLE_PAGES).flat()

describe('the one list of console pages', () => {
  test.each(addresses)('has a route for %s, and the server answers a reload there', (address) => {
    const path = address.replace(':id', 'domain-00')
    expect([routeOf(path) !== 'none', isConsolePath(path)]).toEqual([true, true])
  })

  test.each(['/overview', '/entity', '/entity/a/b', '/triage/below', '/nowhere'])(
    'has no route for %s, and the server has no page there',
    (path) => {
      expect([routeOf(path), isConsolePath(path)]).toEqual(['none', false])
    },
  )

  test('names every address once', () => {
    expect(new Set(addresses).size).toBe(addresses.length)
  })

  test('is what the menus of the sections lead to', () => {
    expect(accountSections.map(({ path }) => path)).toEqual(CONSOLE_PAGES.account)
    expect(alertSections.map(({ path }) => path)).toEqual(CONSOLE_PAGES.alerts)
    expect(matchSections.map(({ path }) => path)).toEqual(CONSOLE_PAGES.matches)
    expect(operationsSections.map(({ path }) => path)).toEqual(CONSOLE_PAGES.operations)
  })

  test('is what the menu leads to, in its order, and the menu shows who may open what', () => {
    expect(pages.flatMap(({ path, nav }) => (nav ? [[path, nav.label, nav.needs ?? 'anyone']] : []))).toEqual([
      ['/', 'Overview', 'anyone'],
      ['/triage', 'Triage', 'anyone'],
      ['/changes', 'What changed', 'anyone'],
      ['/alerts', 'Alerts', 'user'],
      ['/matches', 'Matches', 'user'],
      ['/attribution', 'Attribution', 'anyone'],
      ['/search', 'Search', 'anyone'],
      ['/report', 'Report', 'reporter'],
      ['/feeds', 'Feeds', 'user'],
      ['/scans', 'Scans', 'user'],
      ['/account', 'Account', 'user'],
      ['/operations', 'Operations', 'auth_admin'],
    ])
  })
})
