import { ActionIcon, Alert, Anchor, AppShell, Burger, Group, NavLink, Text, VisuallyHidden } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconHelp } from '@tabler/icons-react'
import { lazy, type ReactNode, Suspense, useEffect } from 'react'
import { Link, useLocation } from 'wouter'
import { hasLapsed } from '../api/session.ts'
import { SearchBox } from '../parts/page/SearchBox.tsx'
import { useWaits } from '../parts/page/waiting/useWaits.ts'
import { WaitBadge } from '../parts/page/waiting/WaitBadge.tsx'
import { useCaller, useSignedIn } from '../session/caller.ts'
import { useSignInLink } from '../session/sign-in-link.ts'
import { CallerMenu } from './CallerMenu.tsx'
import { ColourSchemeSwitch } from './ColourSchemeSwitch.tsx'
import { Keys } from './header/Keys.tsx'
import { SEARCH_BOX } from './header/search-box.ts'
import { type NavItem, pages } from './pages.ts'

/** Sections say of themselves what waits there. */
const isPage = (path: string): boolean => pages.some((page) => page.path === path)

const AlertBell = lazy(() => import('./AlertBell.tsx'))

/** The frame of every page: the menu, the search box, the menu of the caller. */
export function Frame({ children }: { children: ReactNode }) {
  const [opened, { toggle, close }] = useDisclosure()
  const [location] = useLocation()
  const signedIn = useSignedIn()
  const caller = useCaller()
  const signInLink = useSignInLink()
  const waits = useWaits()
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new place closes the menu that led there
  useEffect(close, [location])
  const isOpen = ({ needs }: NavItem): boolean => {
    if (needs === undefined) return true
    if (needs === 'user') return signedIn
    return caller?.administrator === true || caller?.roles.includes(needs) === true
  }
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 200, breakpoint: 'sm', collapsed: { mobile: !opened } }}
      padding={{ base: 'sm', sm: 'md' }}
    >
      <AppShell.Header>
        <a className="skip" href="#page">
          Skip to content
        </a>
        <Group h="100%" px="sm" gap="xs" wrap="nowrap">
          <Burger opened={opened} onClick={toggle} hiddenFrom="sm" size="sm" aria-label="Menu" aria-expanded={opened} />
          <ActionIcon component={Link} href="/" variant="transparent" size="lg" aria-label="Harrier: overview">
            <img src="/assets/harrier.svg" width={28} height={28} alt="" />
          </ActionIcon>
          <Text fw={700} visibleFrom="sm">
            Harrier
          </Text>
          <SearchBox id={SEARCH_BOX} />
          {caller?.customer && (
            <Suspense fallback={null}>
              <AlertBell />
            </Suspense>
          )}
          <Keys />
          <ColourSchemeSwitch />
          <CallerMenu />
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="xs" aria-label="Pages">
        {pages.map(({ path, nav }) => {
          if (nav === undefined || !isOpen(nav)) return null
          const { label, icon: Icon } = nav
          const here = path === '/' ? location === '/' : location === path || location.startsWith(`${path}/`)
          return (
            <NavLink
              key={path}
              component={Link}
              href={path}
              label={label}
              rightSection={waits.has(path) ? <WaitBadge of={waits.get(path)} /> : undefined}
              leftSection={<Icon size={18} aria-hidden />}
              active={here}
              aria-current={here ? 'page' : undefined}
            />
          )
        })}
        <NavLink component="a" href="/help/" label="Help" leftSection={<IconHelp size={18} aria-hidden />} mt="auto" />
      </AppShell.Navbar>
      <VisuallyHidden role="status">
        {[...waits].flatMap(([path, { text }]) => (isPage(path) ? text : [])).join('. ')}
      </VisuallyHidden>
      <AppShell.Main id="page" tabIndex={-1}>
        {!signedIn && hasLapsed() && (
          <Alert color="yellow" mb="md" title="Your session has ended" role="status">
            You now see public data only.{' '}
            <Anchor component={Link} href={signInLink} inherit underline="always">
              Sign in again
            </Anchor>{' '}
            to see and do more.
          </Alert>
        )}
        {children}
      </AppShell.Main>
    </AppShell>
  )
}
