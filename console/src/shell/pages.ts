import {
  IconActivity,
  IconAlertTriangle,
  IconBell,
  IconChartBar,
  IconFilePlus,
  IconHistory,
  IconListCheck,
  IconMapPin,
  IconRadar,
  IconSearch,
  IconTargetArrow,
  IconUser,
} from '@tabler/icons-react'
import { type ComponentType, lazy } from 'react'
import { CONSOLE_PAGES, type ConsolePage } from '../../../schemas/console-pages.ts'
import type { Role } from '../session/caller.ts'

/** An entry of the menu. */
export type NavItem = {
  label: string
  icon: typeof IconSearch
  /** Only callers with this role see the entry; `user`: every signed-in caller; absent: everyone. */
  needs?: Role
}

type PageContent = { component: ComponentType; nav?: NavItem }

/** Each page is a chunk that is loaded when the page is opened. The order is that of the menu. */
const CONTENT: Readonly<Record<ConsolePage, PageContent>> = {
  overview: {
    component: lazy(() => import('../pages/overview/Overview.tsx')),
    nav: { label: 'Overview', icon: IconChartBar },
  },
  triage: {
    component: lazy(() => import('../pages/triage/Triage.tsx')),
    nav: { label: 'Triage', icon: IconAlertTriangle },
  },
  changes: {
    component: lazy(() => import('../pages/changes/Changes.tsx')),
    nav: { label: 'What changed', icon: IconHistory },
  },
  alerts: {
    component: lazy(() => import('../pages/alerts/Alerts.tsx')),
    nav: { label: 'Alerts', icon: IconBell, needs: 'user' },
  },
  matches: {
    component: lazy(() => import('../pages/matches/Matches.tsx')),
    nav: { label: 'Matches', icon: IconTargetArrow, needs: 'user' },
  },
  attribution: {
    component: lazy(() => import('../pages/attribution/Attribution.tsx')),
    nav: { label: 'Attribution', icon: IconMapPin },
  },
  search: {
    component: lazy(() => import('../pages/search/Search.tsx')),
    nav: { label: 'Search', icon: IconSearch },
  },
  entity: { component: lazy(() => import('../pages/entity/Entity.tsx')) },
  report: {
    component: lazy(() => import('../pages/report/Report.tsx')),
    nav: { label: 'Report', icon: IconFilePlus, needs: 'reporter' },
  },
  feeds: {
    component: lazy(() => import('../pages/feeds/Feeds.tsx')),
    nav: { label: 'Feeds', icon: IconListCheck, needs: 'user' },
  },
  scans: {
    component: lazy(() => import('../pages/scans/Scans.tsx')),
    nav: { label: 'Scans', icon: IconRadar, needs: 'user' },
  },
  account: {
    component: lazy(() => import('../pages/account/Account.tsx')),
    nav: { label: 'Account', icon: IconUser, needs: 'user' },
  },
  operations: {
    component: lazy(() => import('../pages/operations/Operations.tsx')),
    nav: { label: 'Operations', icon: IconActivity, needs: 'auth_admin' },
  },
  signIn: { component: lazy(() => import('../pages/sign-in/SignIn.tsx')) },
}

type Page = PageContent & {
  /** The address that the menu leads to. */
  path: string
  /** The pattern of the router: a page with several addresses shows the one of them that it is opened at. */
  route: string
}

/** Every page of `schemas/console-pages.ts` with its content: the routes, and the entries of the menu in their order. */
export const pages: readonly Page[] = (Object.keys(CONTENT) as ConsolePage[]).map((name) => {
  const [path, ...sections] = CONSOLE_PAGES[name]
  return { ...CONTENT[name], path, route: sections.length > 0 ? `${path}/*?` : path }
})
