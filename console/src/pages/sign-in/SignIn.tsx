import { Anchor, Paper, Stack, Tabs, Text } from '@mantine/core'
import { Link, Redirect, useSearchParams } from 'wouter'
import { Page } from '../../parts/page/Page.tsx'
import { useSignedIn } from '../../session/caller.ts'
import { ownPath } from '../../session/own-path.ts'
import { KeyPair } from './KeyPair.tsx'
import { MailedCode } from './MailedCode.tsx'
import { Register } from './Register.tsx'
import { SignOn } from './SignOn.tsx'

const WAYS = { code: 'Mailed code', keys: 'Key pair', register: 'Register' }

/** `?with=` names the way in, `?to=` where to go afterwards. */
export default function SignIn() {
  const [search, setSearch] = useSearchParams()
  const parameter = search.get('with') ?? 'code'
  const way = Object.hasOwn(WAYS, parameter) ? parameter : 'code'
  const to = ownPath(search.get('to'))
  // A signed-in caller goes on to `to`; every form of this page ends so too.
  if (useSignedIn()) return <Redirect to={to} replace />
  const choose = (next: string | null) =>
    setSearch((was) => ({ ...Object.fromEntries(was), with: next ?? 'code' }), { replace: true })
  return (
    <Page title="Sign in" about={to === '/' ? undefined : 'Afterwards you return to the previous page.'}>
      <Stack gap="md" maw={440}>
        <Paper withBorder p="md">
          <SignOn to={to} />
          <Tabs value={way} onChange={choose} keepMounted={false}>
            <Tabs.List grow mb="md">
              {Object.entries(WAYS).map(([key, label]) => (
                <Tabs.Tab key={key} value={key}>
                  {label}
                </Tabs.Tab>
              ))}
            </Tabs.List>
            <Tabs.Panel value="code">
              <MailedCode />
            </Tabs.Panel>
            <Tabs.Panel value="keys">
              <KeyPair />
            </Tabs.Panel>
            <Tabs.Panel value="register">
              <Register />
            </Tabs.Panel>
          </Tabs>
        </Paper>
        <Text size="sm" c="dimmed">
          Public data needs no account: see the{' '}
          <Anchor component={Link} href="/" inherit underline="always">
            overview
          </Anchor>
          , or the{' '}
          <Anchor component={Link} href="/account/limits" inherit underline="always">
            limits
          </Anchor>{' '}
          without an account.{' '}
        </Text>
      </Stack>
    </Page>
  )
}
