import {
  IconActivity,
  IconAlertTriangle,
  IconChartBar,
  IconFilePlus,
  IconMapPin,
  IconRadar,
  IconSearch,
  IconUser,
} from '@tabler/icons-react'
import type { Role } from '../session/caller.ts'

export type Place = {
  path: string
  label: string
  icon: typeof IconSearch
  /** Shown to callers with this role alone; `user`: to whoever is signed in; absent: to everyone. */
  needs?: Role
}

/** What the menu names, in its order; the platform serves the console on these paths (api/http/console.ts). */
export const places: Place[] = [
  { path: '/', label: 'Overview', icon: IconChartBar },
  { path: '/triage', label: 'Triage', icon: IconAlertTriangle },
  { path: '/attribution', label: 'Attribution', icon: IconMapPin },
  { path: '/search', label: 'Search', icon: IconSearch },
  { path: '/report', label: 'Report', icon: IconFilePlus, needs: 'reporter' },
  { path: '/scans', label: 'Scans', icon: IconRadar, needs: 'user' },
  { path: '/account', label: 'Account', icon: IconUser, needs: 'user' },
  { path: '/operations', label: 'Operations', icon: IconActivity, needs: 'auth_admin' },
]
