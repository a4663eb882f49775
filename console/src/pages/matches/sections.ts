import { type ComponentType, lazy } from 'react'
import { CONSOLE_PAGES, type ConsolePath } from '../../../../schemas/console-pages.ts'

type Content = {
  label: string
  /** The heading, and the name of the tab of the browser. */
  title: string
  about: string
  content: ComponentType
}

/** Each section is loaded when it is opened. */
const CONTENT: Readonly<Record<ConsolePath<'matches'>, Content>> = {
  '/matches': {
    label: 'Matches',
    title: 'Matches',
    about: 'Indicators that were seen in your telemetry. Only your team reads your telemetry.',
    content: lazy(() => import('./list/MatchList.tsx')),
  },
  '/matches/settings': {
    label: 'Settings',
    title: 'Settings of matching',
    about: 'Which indicators your telemetry is matched with, how long it is kept, and who reads the matches.',
    content: lazy(() => import('./settings/Settings.tsx')),
  },
  '/matches/sensors': {
    label: 'Sensors',
    title: 'Connect a sensor',
    about: 'How to send the events of your sensors.',
    content: lazy(() => import('./sensors/Sensors.tsx')),
  },
}

/** The sections of `/matches`, in the order of their menu. */
export const sections = CONSOLE_PAGES.matches.map((path) => ({ path, ...CONTENT[path] }))
